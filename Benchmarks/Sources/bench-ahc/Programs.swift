import AsyncHTTPClient
import Load
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends the same request again and again.
func requests(_ load: LoadArguments) async throws -> Measure {
    let client = makeClient(load.caFile, isHTTP2: load.httpVersion == 2, inFlight: load.inFlight)
    let body = ByteBuffer(bytes: try load.body())
    let measure = try await Measure.load(load) {
        var request = HTTPClientRequest(url: load.url)
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Basic MDEyMzQ1Njc4OWFiY2RlZg==")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(body)
        let response = try await client.execute(request, timeout: .seconds(10))
        let answer = try await response.body.collect(upTo: 1 << 20)
        precondition(response.status == .ok && answer.readableBytes > 0)
    }
    try await client.shutdown().get()
    return measure
}

/// Sends a push to each address in turn.
func pushes(_ load: FanOutArguments) async throws -> Measure {
    let client = makeClient(load.caFile, isHTTP2: true, inFlight: load.inFlight)
    let (body, source) = (ByteBuffer(bytes: try load.body()), PushSource(try load.urls()))
    let headers = HTTPHeaders(try load.headers().map { ($0.name, $0.value) })
    let measure = try await Measure.load(load.inFlight, for: load.seconds) {
        let push = source.next()
        var request = HTTPClientRequest(url: push.url)
        request.method = .POST
        request.headers = headers
        request.headers.add(name: "apns-id", value: push.id)
        request.body = .bytes(body)
        let response = try await client.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
        precondition(response.status == .ok)
    }
    try await client.shutdown().get()
    return measure
}

private func makeClient(_ caFile: String, isHTTP2: Bool, inFlight: Int) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = .makeClientConfiguration()
    configuration.tlsConfiguration?.trustRoots = .file(caFile)
    configuration.httpVersion = isHTTP2 ? .automatic : .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = inFlight
    return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
}
