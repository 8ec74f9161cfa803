import Load
import PushAdapter
import PushClient
import PushJPush

/// What is measured.
enum Mode: String {
    /// The transport alone.
    case transport
    /// A message on its whole way through the client and the JPush adapter.
    case pipeline

    /// Measures it over a transport, and shuts that down.
    func measure(
        _ load: LoadArguments, over transport: some HTTPTransport, on executor: (any TaskExecutor)?
    ) async throws -> Measure {
        switch self {
        case .transport:
            let request = TransportRequest(
                method: .post, url: load.url, headers: [.authorization: "Basic MDEyMzQ1Njc4OWFiY2RlZg=="],
                body: .json(try load.body()), timeout: .seconds(10))
            let measure = try await Measure.load(load, on: executor) {
                let response = try await transport.send(request)
                precondition(response.status == 200 && !response.body.isEmpty)
            }
            await transport.shutdown()
            return measure
        case .pipeline:
            var jpush = try JPush(
                appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret),
                dataCenter: JPush.dataCenter(at: load.origin))
            jpush.capabilities = jpush.capabilities.unmetered
            var settings = ClientConfiguration()
            settings.keysPerMint = 1000
            let client = PushClient(jpush, transport: transport, configuration: settings)
            let (message, devices) = (Sample.message, Sample.devices(load.devices))
            let measure = try await Measure.load(load, on: executor) {
                let report = try await client.send(message, to: .devices(devices))
                precondition(report.acceptedCount == devices.count)
            }
            await client.shutdown()
            return measure
        }
    }
}

/// Where the tasks run.
enum Place: String {
    /// In the pool that all tasks share.
    case shared
    /// On the transport's own thread.
    case own
}
