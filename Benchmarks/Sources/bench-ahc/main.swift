import Load

// Usage: bench-ahc, then the arguments of LoadArguments, or those of FanOutArguments for a push to each address.
let arguments = CommandLine.arguments.dropFirst()
if let fanOut = FanOutArguments(arguments) {
    try await pushes(fanOut).report()
} else {
    try await requests(LoadArguments(arguments)).report()
}
