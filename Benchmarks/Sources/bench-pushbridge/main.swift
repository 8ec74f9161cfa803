import Glibc
import Load
import PushCurl
import PushHTTP2

// Usage: bench-pushbridge transport|pipeline shared|own curl|http2, then the arguments of LoadArguments.
let choices = Array(CommandLine.arguments.dropFirst().prefix(3))
guard choices.count == 3, let mode = Mode(rawValue: choices[0]), let place = Place(rawValue: choices[1]) else {
    print("usage: bench-pushbridge transport|pipeline shared|own curl|http2, and the arguments of the other programs")
    exit(2)
}
let load = LoadArguments(CommandLine.arguments.dropFirst(4))

// Both have one more slot, for the request that fetches idempotency keys.
switch choices[2] {
case "curl":
    var configuration = CurlConfiguration()
    configuration.caFile = load.caFile
    configuration.maxInFlight = load.inFlight + 1
    let transport = try CurlTransport(configuration)
    try await mode.measure(load, over: transport, on: place == .own ? transport.executor : nil).report()
case "http2":
    var configuration = HTTP2Configuration()
    configuration.caFile = load.caFile
    configuration.maxInFlight = load.inFlight + 1
    // The server allows that many requests on one connection.
    configuration.maxConnections = 1
    let transport = try HTTP2Transport(configuration)
    try await mode.measure(load, over: transport, on: place == .own ? transport.executor : nil).report()
default:
    print("unknown transport \(choices[2])")
    exit(2)
}
