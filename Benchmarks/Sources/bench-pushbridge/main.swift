import Load
import PushClient
import PushCore
import PushCurl
import PushJPush

// Usage: bench-pushbridge transport|pipeline shared|own, then the arguments of LoadArguments.
let mode = CommandLine.arguments.dropFirst().first ?? ""
let load = LoadArguments(CommandLine.arguments.dropFirst(3))

var configuration = CurlConfiguration()
configuration.caFile = load.caFile
configuration.httpVersion = load.httpVersion == 2 ? .negotiated : .http1
// One more slot, for the request that fetches idempotency keys.
configuration.maxInFlight = load.inFlight + 1
let transport = try CurlTransport(configuration)
// Where the tasks run: in the pool that all tasks share, or on the transport's own thread.
let executor = CommandLine.arguments[2] == "own" ? transport.executor : nil

switch mode {
case "transport":
    let request = TransportRequest(
        method: .post, url: load.url, headers: [.authorization: "Basic MDEyMzQ1Njc4OWFiY2RlZg=="],
        body: .json(try load.body()), timeout: .seconds(10))
    try await Measure.load(load, on: executor) {
        let response = try await transport.send(request)
        precondition(response.status == 200 && !response.body.isEmpty)
    }.report()
    await transport.shutdown()
case "pipeline":
    var jpush = try JPush(
        appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret),
        dataCenter: JPush.dataCenter(at: load.origin))
    jpush.capabilities = jpush.capabilities.unmetered
    var settings = ClientConfiguration()
    settings.keysPerMint = 1000
    let client = PushClient(jpush, transport: transport, configuration: settings)
    let (message, devices) = (Sample.message, Sample.devices(load.devices))
    try await Measure.load(load, on: executor) {
        let report = try await client.send(message, to: .devices(devices))
        precondition(report.acceptedCount == devices.count)
    }.report()
    await client.shutdown()
default: print("unknown mode \(mode)")
}
