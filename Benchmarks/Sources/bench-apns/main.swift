import Glibc
import Load

// Usage: bench-apns transport|send shared|own, then the arguments of FanOutArguments.
let choices = Array(CommandLine.arguments.dropFirst().prefix(2))
guard choices.count == 2, let mode = Mode(rawValue: choices[0]), let place = Place(rawValue: choices[1]),
    let load = FanOutArguments(CommandLine.arguments.dropFirst(3))
else {
    print("usage: bench-apns transport|send shared|own, and the arguments of the other programs with their last files")
    exit(2)
}
try await mode.measure(load, on: place).report()
