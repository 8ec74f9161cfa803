import Foundation
import Glibc
import PushAdapter
import PushCrypto
import PushHTTP2
import PushSimulation
import TestSupport
import Testing

// The HTTP/2 transport against servers of other projects. Their own logs verify the transport's reports.

@Suite(
    "HTTP/2 transport and nginx", .enabled(if: OtherServer.has(OtherServer.nginx), "nginx is not installed"),
    .timeLimit(.minutes(10)))
struct NginxTests {
    private static let answer = #"location / { return 200 "{}"; }"#

    /// 200 responses per second; further requests wait at the server. nginx cannot delay a `return`, but it can delay a
    /// missing file.
    private static let slowAnswer = """
        location / { limit_req zone=slow burst=100000; error_page 404 405 =200 @answer; root /nowhere; }
        location @answer { return 200 "{}"; }
        """

    @Test("two thousand requests, a hundred at a time, are answered over one connection")
    func many() async throws {
        let outcomes = Outcomes()
        let log = try await OtherServer.withNginx(Self.answer, .patient { $0.maxInFlight = 100 }) { server in
            await server.send(2_000, outcomes)
        }
        let all = outcomes.all
        #expect(all.count == 2_000)
        #expect(all.values.allSatisfy { $0 == .answered(200, on: 1) }, "\(Set(all.values))")
        #expect(log.requests.sorted() == all.keys.map { "\($0) 200" }.sorted())
    }

    @Test("a server that allows two streams gets no third one")
    func fewStreams() async throws {
        let outcomes = Outcomes()
        let block = "http2_max_concurrent_streams 2; \(Self.answer)"
        let log = try await OtherServer.withNginx(block, .patient { $0.maxInFlight = 100 }) { server in
            await server.send(2_000, outcomes)
        }
        let all = outcomes.all
        #expect(all.count == 2_000)
        #expect(all.values.allSatisfy { $0.isAnswered }, "\(Set(all.values))")
        #expect((2...4).contains(outcomes.connections.count))
        #expect(log.requests.sorted() == all.keys.map { "\($0) 200" }.sorted())
    }

    @Test("a server that says goodbye after every ten requests answers all, with retries of those not applied")
    func goodbyes() async throws {
        let outcomes = Outcomes()
        let block = "keepalive_requests 10; \(Self.answer)"
        let log = try await OtherServer.withNginx(block, .patient { $0.maxInFlight = 20 }) { server in
            await server.persist(300, outcomes)
        }
        let all = outcomes.all
        #expect(all.values.allSatisfy { $0.isAnswered || $0 == .notApplied }, "\(Set(all.values))")
        #expect(outcomes.answered.count == 300)
        #expect(outcomes.connections.count >= 30)
        // No log has a request that was not applied.
        #expect(log.requests.sorted() == outcomes.answered.map { "\($0) 200" }.sorted())
    }

    @Test("a connection that the server closes after a pause leaves no effect unknown")
    func pauses() async throws {
        let outcomes = Outcomes()
        let log = try await OtherServer.withNginx("keepalive_timeout 20ms; \(Self.answer)") { server in
            for number in 1...200 {
                await server.send("/\(number)", outcomes)
                // Some requests meet the closing connection a little earlier, some a little later.
                try await Task.sleep(for: .microseconds(18_000 + number % 20 * 250))
            }
        }
        let all = outcomes.all
        #expect(all.count == 200)
        #expect(all.values.allSatisfy { $0.isAnswered || $0 == .notApplied }, "\(Set(all.values))")
        #expect(outcomes.connections.count > 1)
        #expect(log.requests.sorted() == outcomes.answered.map { "\($0) 200" }.sorted())
    }

    /// Whether a path is one of `send(more:until:)`.
    private static func isMore(_ path: String) -> Bool { path.hasPrefix("/more/") }

    @Test("a server that stops answers what it has begun; the other requests are not applied")
    func stop() async throws {
        let outcomes = Outcomes()
        let log = try await OtherServer.withNginx(Self.slowAnswer, .patient { $0.maxInFlight = 50 }) { server in
            let sending = Task { await server.send(300, outcomes) }
            await until { outcomes.answeredCount >= 50 }
            server.program.send(signal: SIGQUIT)
            await sending.value
            // The signal may arrive after the last response.
            await server.send(more: outcomes) { $0 == .notApplied }
            let status = await server.program.result().status
            #expect(status == 0)
        }
        let all = outcomes.all
        #expect(all.keys.count { !Self.isMore($0) } == 300)
        #expect(all.values.allSatisfy { $0.isAnswered || $0 == .notApplied }, "\(Set(all.values))")
        #expect(all.values.contains(.notApplied))
        #expect(log.requests.sorted() == outcomes.answered.map { "\($0) 200" }.sorted())
    }

    @Test("a server that is reloaded answers every request, with retries of those not applied")
    func reload() async throws {
        let outcomes = Outcomes()
        let log = try await OtherServer.withNginx(Self.slowAnswer, .patient { $0.maxInFlight = 50 }) { server in
            let sending = Task { await server.persist(300, outcomes) }
            await until { outcomes.answeredCount >= 50 }
            server.program.send(signal: SIGHUP)
            await sending.value
            await server.send(more: outcomes) { _ in outcomes.connections.count > 1 }
        }
        let all = outcomes.all
        #expect(all.values.allSatisfy { $0.isAnswered || $0 == .notApplied }, "\(Set(all.values))")
        #expect(outcomes.answered.count { !Self.isMore($0) } == 300)
        #expect(outcomes.connections.count > 1)
        #expect(log.requests.sorted() == outcomes.answered.map { "\($0) 200" }.sorted())
    }

    @Test("a refusal that comes before the body is out is the response, and the connection goes on")
    func tooLong() async throws {
        try await OtherServer.withNginx(#"location / { client_max_body_size 1k; return 200 "{}"; }"#) { server in
            let body = [UInt8](repeating: 0x20, count: 1 << 20)
            for number in 1...20 {
                let long = await server.outcome(of: server.request("/long/\(number)", body))
                #expect(long == .answered(413, on: 1))
                #expect(await server.outcome(of: server.request("/short/\(number)")) == .answered(200, on: 1))
            }
        }
    }

    @Test("a body that is said to be compressed stays as it is")
    func compressed() async throws {
        let block = #"location / { add_header Content-Encoding gzip; return 200 "plain"; }"#
        try await OtherServer.withNginx(block) { server in
            let response = try await server.transport.send(server.request("/x"))
            #expect(response.headers[.contentEncoding] == "gzip")
            #expect(response.body == Array("plain".utf8))
        }
    }

    @Test("a server that asks for a client certificate gets the configured one, and refuses none and another's")
    func clientCertificate() async throws {
        let client = try SelfSignedCertificate(subject: "the client")
        let other = try SelfSignedCertificate(subject: "another client")
        let folder = try Folder()
        defer { folder.remove() }
        let file = try folder.write("client.pem", client.certificate)
        let block = """
            ssl_client_certificate \(file); ssl_verify_client on;
            location / { return 200 "$ssl_client_s_dn"; }
            """
        for (certificate, status) in [(client, 200), (other, 400), (nil, 400)] as [(SelfSignedCertificate?, Int)] {
            var settings = HTTP2Configuration.patient()
            if let certificate {
                settings.clientCertificate = ClientCertificate(
                    chain: certificate.certificate, key: Secret(certificate.privateKey))
            }
            try await OtherServer.withNginx(block, settings) { server in
                let response = try await server.transport.send(server.request("/x"))
                #expect(response.status == status)
                #expect((response.body == Array("CN=the client".utf8)) == (status == 200))
            }
        }
    }

    @Test("a server without HTTP/2 gets no request")
    func noHTTP2() async throws {
        let log = try await OtherServer.withNginx(Self.answer, isHTTP2: false) { server in
            let error = await #expect(throws: PushError.self) { try await server.transport.send(server.request("/x")) }
            #expect(error?.kind == .transport)
            #expect(error?.effect == .notApplied)
            #expect(error?.retry == .never)
        }
        #expect(log.requests.isEmpty)
    }
}

@Suite(
    "HTTP/2 transport and nghttpd", .enabled(if: OtherServer.has(OtherServer.nghttpd), "nghttpd is not installed"),
    .timeLimit(.minutes(10)))
struct NghttpdTests {
    /// A pattern with a long period.
    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
    }

    @Test("two thousand requests, a hundred at a time, are answered, and none is reset", arguments: [100, 7, 1])
    func many(streams: Int) async throws {
        let outcomes = Outcomes()
        let options = ["--echo-upload", "--max-concurrent-streams=\(streams)"]
        let log = try await OtherServer.withNghttpd(options, .patient { $0.maxInFlight = 100 }) { server in
            await server.send(2_000, outcomes)
        }
        let all = outcomes.all
        #expect(all.count == 2_000)
        #expect(all.values.allSatisfy { $0.isAnswered }, "\(Set(all.values))")
        #expect(outcomes.connections.count <= (streams == 100 ? 1 : 4))
        #expect(log.paths.sorted() == all.keys.sorted())
        #expect(log.count(of: "RST_STREAM") == 0)
    }

    @Test(
        "a body of a megabyte comes back byte for byte",
        arguments: [
            [], ["--padding=255"], ["--window-bits=10"], ["--no-content-length"],
            ["--header-table-size=0", "--encoder-header-table-size=0"],
        ])
    func echo(options: [String]) async throws {
        let body = Self.bytes(1 << 20)
        let settings = HTTP2Configuration.patient { $0.maxResponseBytes = 2 << 20 }
        let log = try await OtherServer.withNghttpd(["--echo-upload"] + options, settings) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...4 {
                    group.addTask {
                        let response = try await server.transport.send(server.request("/\(number)", body))
                        #expect(response.status == 200)
                        #expect(response.body == body)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(log.count(of: "recv RST_STREAM") == 0)
    }

    @Test("a body goes through a window of one byte")
    func narrow() async throws {
        let body = Self.bytes(1_000)
        let log = try await OtherServer.withNghttpd(["--echo-upload", "--window-bits=1"]) { server in
            let response = try await server.transport.send(server.request("/x", body))
            #expect(response.body == body)
        }
        #expect(log.count(of: "recv DATA frame <length=1,") == 1_000)
    }

    @Test("a trailer ends a response, and is none of its header fields")
    func trailers() async throws {
        try await OtherServer.withNghttpd(["--echo-upload", "--trailer", "x-check: late"]) { server in
            for number in 1...20 {
                let response = try await server.transport.send(server.request("/\(number)"))
                #expect(response.status == 200)
                #expect(response.body == Array("{}".utf8))
                #expect(response.connection == 1)
                #expect(response.headers.contains { $0.name.canonicalName == "trailer" })
                #expect(!response.headers.contains { $0.name.canonicalName == "x-check" })
            }
        }
    }

    @Test("of responses that end before the body is out, a refusal counts and a success does not")
    func early() async throws {
        let body = Self.bytes(1 << 20)
        let log = try await OtherServer.withNghttpd(["--early-response"]) { server in
            #expect(await server.outcome(of: server.request("/nothing", body)) == .answered(404, on: 1))
            let error = await #expect(throws: PushError.self) {
                try await server.transport.send(server.request("/file", body))
            }
            #expect(error?.kind == .malformedResponse)
            #expect(error?.effect == .unknown)
            #expect(await server.outcome(of: server.request("/file", nil)) == .answered(200, on: 1))
        }
        #expect(log.paths == ["/nothing", "/file", "/file"])
        // For each body, at most the window's size was sent, followed by at most one reset.
        #expect(log.count(of: "recv DATA") < 64)
        #expect(log.count(of: "recv RST_STREAM") <= 2)
    }

    @Test("a server that would push sends nothing that was not asked for")
    func push() async throws {
        let log = try await OtherServer.withNghttpd(["--push=/file=/other"]) { server in
            for _ in 1...5 {
                let response = try await server.transport.send(server.request("/file", nil))
                #expect(response.body == Array(OtherServer.file.utf8))
            }
        }
        #expect(log.count(of: "SETTINGS_ENABLE_PUSH(0x02):0") == 1)
        #expect(log.count(of: "PUSH_PROMISE") == 0)
    }

    @Test("of the requests to a server that is killed, it has read those answered, and none that is not applied")
    func killed() async throws {
        let outcomes = Outcomes()
        let callers = 1...50
        let log = try await OtherServer.withNghttpd(["--echo-upload"]) { server in
            let sending = Task {
                await withTaskGroup(of: Void.self) { group in
                    for caller in callers {
                        group.addTask {
                            var number = 0
                            repeat {
                                number += 1
                                await server.send("/\(caller)/\(number)", outcomes)
                            } while outcomes["/\(caller)/\(number)"]?.isAnswered == true
                            await server.send("/\(caller)/last", outcomes)
                        }
                    }
                }
            }
            await until { outcomes.answeredCount >= 500 }
            server.program.send(signal: SIGKILL)
            await sending.value
        }
        let all = outcomes.all
        let (read, answered) = (Set(log.paths), outcomes.answered)
        #expect(read.count == log.paths.count)
        #expect(read.isSuperset(of: answered))
        #expect(read.allSatisfy { all[$0] != .notApplied })
        #expect(all.values.filter { $0 == .unknown }.count <= callers.count)
        // No new connection opens, so nothing is sent.
        #expect(callers.allSatisfy { all["/\($0)/last"] == .notApplied })
    }
}

@Suite("HTTP/2 transport and NIO", .timeLimit(.minutes(10)))
struct NIOTests {
    @Test("two thousand requests, a hundred at a time, are answered over one connection")
    func many() async throws {
        try await Wire.run(.http2, settings: .with { $0.maxInFlight = 100 }) { wire in
            let connections = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 1...2_000 {
                    group.addTask {
                        let request = wire.request(
                            .post, "/\(number)", body: .json(Array("{}".utf8)), timeout: .seconds(300))
                        let response = try await wire.transport.send(request)
                        #expect(response.status == 200)
                        #expect(response.body.starts(with: "POST /\(number)?".utf8))
                        return response.connection
                    }
                }
                return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            }
            #expect(connections == [1])
            let paths = wire.host.journal.entries.map(\.request.path)
            #expect(paths.sorted() == (1...2_000).map { "/\($0)" }.sorted())
        }
    }
}

/// The outcome of a request.
private enum Outcome: Hashable, Sendable {
    case answered(Int, on: Int?)
    case notApplied
    case unknown

    /// Answered with 200.
    var isAnswered: Bool { if case .answered(200, _) = self { true } else { false } }

    var connection: Int? { if case .answered(_, let number) = self { number } else { nil } }
}

/// The outcomes of requests, by path. Each path is sent once.
private final class Outcomes: Sendable {
    private let values = Locked<[String: Outcome]>([:])

    func note(_ outcome: Outcome, _ path: String) { values.withLock { $0[path] = outcome } }

    subscript(path: String) -> Outcome? { values.withLock { $0[path] } }

    var all: [String: Outcome] { values.withLock { $0 } }
    /// The paths with a 200 response.
    var answered: [String] { all.filter { $0.value.isAnswered }.map { $0.key } }
    var answeredCount: Int { values.withLock { $0.values.count(where: \.isAnswered) } }
    /// The connections that carried responses.
    var connections: Set<Int> { Set(all.values.compactMap(\.connection)) }
}

/// A server's log.
private struct ServerLog: Sendable {
    var lines: [Substring]

    /// The requests in nginx's log.
    var requests: [String] { lines.map(String.init) }

    /// The paths that nghttpd read.
    var paths: [String] {
        lines.compactMap { $0.contains(") :path: ") ? $0.split(separator: " ").last.map(String.init) : nil }
    }

    func count(of text: String) -> Int { lines.count { $0.contains(text) } }
}

/// A folder for the files of a server.
private struct Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ text: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}

/// A running third-party server, and a transport that trusts it.
private struct OtherServer: Sendable {
    static let nginx = "/usr/sbin/nginx"
    static let nghttpd = "/usr/sbin/nghttpd"
    /// Ends the started program together with these tests, even if they are killed.
    private static let setpriv = "/usr/bin/setpriv"
    /// The contents of nghttpd's only file.
    static let file = "from a file"

    static func has(_ program: String) -> Bool {
        [program, setpriv].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    let program: Program
    let transport: HTTP2Transport
    let origin: String

    /// Runs nginx and returns its log of requests.
    ///
    /// - Parameters:
    ///   - block: the contents of the server block, besides the address.
    ///   - settings: the transport's settings.
    ///   - isHTTP2: whether nginx speaks HTTP/2 or only HTTP/1.1.
    @discardableResult
    static func withNginx(
        _ block: String, _ settings: HTTP2Configuration = .patient(), isHTTP2: Bool = true,
        _ body: @Sendable (OtherServer) async throws -> Void
    ) async throws -> ServerLog {
        let folder = try Folder()
        defer { folder.remove() }
        let path = folder.url.path
        let certificate = try SelfSignedCertificate()
        let chain = try folder.write("certificate.pem", certificate.certificate)
        let key = try folder.write("key.pem", certificate.privateKey)
        // nginx ends after its last connection, so the log is complete.
        _ = try await run(nginx, settings, caFile: chain, stop: SIGQUIT) { port in
            let file = try folder.write(
                "nginx.conf",
                """
                daemon off; worker_processes 1; user root;
                pid \(path)/nginx.pid; error_log stderr crit;
                events { worker_connections 1024; }
                http {
                    log_format request '$request_uri $status'; access_log \(path)/requests request;
                    log_not_found off; default_type text/plain; keepalive_requests 1000000;
                    client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy;
                    fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
                    limit_req_zone $binary_remote_addr zone=slow:64k rate=200r/s;
                    ssl_certificate \(chain); ssl_certificate_key \(key);
                    server {
                        listen 127.0.0.1:\(port) ssl\(isHTTP2 ? " http2" : "");
                        \(block)
                    }
                }
                """)
            return ["-c", file, "-e", "stderr"]
        } _: { (server) async throws in
            try await body(server)
        }
        let record = try String(contentsOf: folder.url.appending(path: "requests"), encoding: .utf8)
        return ServerLog(lines: record.split(separator: "\n"))
    }

    /// Runs nghttpd with options and returns its log of frames.
    @discardableResult
    static func withNghttpd(
        _ options: [String], _ settings: HTTP2Configuration = .patient(),
        _ body: @Sendable (OtherServer) async throws -> Void
    ) async throws -> ServerLog {
        let folder = try Folder()
        defer { folder.remove() }
        let certificate = try SelfSignedCertificate()
        let chain = try folder.write("certificate.pem", certificate.certificate)
        let key = try folder.write("key.pem", certificate.privateKey)
        for name in ["file", "other"] { _ = try folder.write(name, file) }
        let result = try await run(nghttpd, settings, caFile: chain, stop: SIGTERM) { port in
            ["-v", "-a", "127.0.0.1", "-d", folder.url.path] + options + ["\(port)", key, chain]
        } _: { (server) async throws in
            try await body(server)
        }
        return ServerLog(lines: result.output.split(separator: "\n"))
    }

    /// Runs a server on a free port. Stops it afterwards if it is still running.
    private static func run(
        _ path: String, _ settings: HTTP2Configuration, caFile: String, stop: Int32,
        arguments: @Sendable (_ port: Int) throws -> [String], _ body: @Sendable (OtherServer) async throws -> Void
    ) async throws -> Program.Result {
        // Another program may take the port before the server does.
        for _ in 0..<5 {
            let isOver = Locked(false)
            defer { isOver.withLock { $0 = true } }
            let port = SilentPort(isListening: false).port
            let program = try await start([path] + arguments(port), until: isOver)
            guard await accepts(program, port) else {
                if program.isRunning { program.send(signal: SIGTERM) }
                let errors = await program.result().errors
                guard errors.contains("ddress already in use") else { throw StartFailure(errors: errors) }
                continue
            }
            var settings = settings
            settings.caFile = caFile
            let transport = try HTTP2Transport(settings)
            let server = OtherServer(program: program, transport: transport, origin: "https://localhost:\(port)")
            let result: Result<Void, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            await transport.shutdown()
            if program.isRunning { program.send(signal: stop) }
            let end = await program.result()
            try result.get()
            return end
        }
        throw StartFailure(errors: "no free port")
    }

    private struct StartFailure: Error {
        var errors: String
    }

    /// Starts a program that ends together with this one.
    ///
    /// The system signals the program when the thread that started it ends, and task threads come and go. So a
    /// permanent thread starts it. A program started by a Foundation process would also have TERM blocked.
    private static func start(_ command: [String], until isOver: Locked<Bool>) async throws -> Program {
        // This needs a lock, because the thread sanitizer does not see that a continuation orders the two threads.
        let program = Locked<Result<Program, any Error>?>(nil)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let started = Result {
                    try Program(Self.setpriv, ["--pdeathsig", "TERM", "env", "--default-signal=TERM"] + command)
                }
                program.withLock { $0 = started }
                continuation.resume()
                while !isOver.withLock({ $0 }) { usleep(20_000) }
            }
        }
        guard let started = program.withLock({ $0 }) else { throw StartFailure(errors: "not started") }
        return try started.get()
    }

    /// Waits until a program accepts connections. Returns false if it ends, or after two minutes.
    private static func accepts(_ program: Program, _ port: Int) async -> Bool {
        let end = ContinuousClock.now + .seconds(120)
        while program.isRunning, ContinuousClock.now < end {
            if SilentClient(port: UInt16(port)).isConnected { return program.isRunning }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    // MARK: Requests

    /// A POST with the body, or a GET without one.
    func request(_ path: String, _ body: [UInt8]? = Array("{}".utf8)) -> TransportRequest {
        TransportRequest(
            method: body == nil ? .get : .post, url: origin + path, body: body.map { .json($0) } ?? .none,
            timeout: .seconds(60))
    }

    func outcome(of request: TransportRequest) async -> Outcome {
        do throws(PushError) {
            let response = try await transport.send(request)
            return .answered(response.status, on: response.connection)
        } catch {
            return error.effect == .notApplied ? .notApplied : .unknown
        }
    }

    func send(_ path: String, _ outcomes: Outcomes) async {
        outcomes.note(await outcome(of: request(path)), path)
    }

    /// Sends requests with the paths `/1`, `/2` and so on.
    func send(_ count: Int, _ outcomes: Outcomes) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 1...count { group.addTask { await send("/\(number)", outcomes) } }
        }
    }

    /// Sends requests one by one until one has this outcome.
    func send(more outcomes: Outcomes, until isLast: (Outcome) -> Bool) async {
        var number = 0
        await TestSupport.until {
            number += 1
            let path = "/more/\(number)"
            await send(path, outcomes)
            return outcomes[path].map(isLast) ?? false
        }
    }

    /// Sends requests, and retries each while it was not applied. Every attempt has its own path.
    func persist(_ count: Int, _ outcomes: Outcomes) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 1...count {
                group.addTask {
                    for attempt in 1...1_000 {
                        let path = "/\(number)/\(attempt)"
                        await send(path, outcomes)
                        guard outcomes[path] == .notApplied else { return }
                    }
                    Issue.record("request \(number) was never applied")
                }
            }
        }
    }
}
