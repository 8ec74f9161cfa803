import AsyncHTTPClient
import Load
import NIOCore
import NIOHTTP1
import NIOSSL

let load = LoadArguments(CommandLine.arguments.dropFirst())

var configuration = HTTPClient.Configuration()
configuration.tlsConfiguration = .makeClientConfiguration()
configuration.tlsConfiguration?.trustRoots = .file(load.caFile)
configuration.httpVersion = load.httpVersion == 2 ? .automatic : .http1Only
configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = load.inFlight
let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)

let body = ByteBuffer(bytes: try load.body())
try await Measure.load(load) {
    var request = HTTPClientRequest(url: load.url)
    request.method = .POST
    request.headers.add(name: "Authorization", value: "Basic MDEyMzQ1Njc4OWFiY2RlZg==")
    request.headers.add(name: "Content-Type", value: "application/json")
    request.body = .bytes(body)
    let response = try await client.execute(request, timeout: .seconds(10))
    let answer = try await response.body.collect(upTo: 1 << 20)
    precondition(response.status == .ok && answer.readableBytes > 0)
}.report()
try await client.shutdown().get()
