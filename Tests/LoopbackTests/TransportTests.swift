import Foundation
import PushCore
import PushCurl
import PushSimulation
import PushSimulationServer
import Testing

@Suite("libcurl transport")
struct TransportTests {
    private func failure(_ wire: Wire, _ request: TransportRequest) async -> PushError? {
        await #expect(throws: PushError.self) { try await wire.transport.send(request) }
    }

    // MARK: What is sent

    @Test("method, path, query, headers and body arrive as they are")
    func asIs() async throws {
        try await Wire.run { wire in
            let name = try #require(HTTPField.Name("X-Tést".replacingOccurrences(of: "é", with: "e")))
            let text = try await wire.text(
                wire.request(
                    .put, "/a/%2E%2E/../b%2Fc?q=%20&r", body: .json(Array("{\"a\":1}".utf8)), headers: [name: "v, w"]))
            #expect(text.hasPrefix("PUT /a/%2E%2E/../b%2Fc?q=%20&r\n"))
            #expect(text.lowercased().contains("x-test: v, w"))
            #expect(text.lowercased().contains("content-type: application/json"))
            #expect(text.lowercased().contains("user-agent: pushbridge"))
            #expect(text.hasSuffix("\n\n{\"a\":1}"))
        }
    }

    @Test("a handle that is used again carries nothing over from the request before")
    func reuse() async throws {
        try await Wire.run(settings: .with { $0.maxInFlight = 1 }) { wire in
            _ = try await wire.text(
                wire.request(.post, body: .json(Array("long body".utf8)), headers: [.accept: "a/b"]))
            let get = try await wire.text(wire.request(.get))
            #expect(get.hasPrefix("GET"))
            #expect(get.hasSuffix("\n\n"))
            #expect(!get.lowercased().contains("content-type") && !get.contains("a/b"))
            let delete = try await wire.text(wire.request(.delete))
            #expect(delete.hasPrefix("DELETE"))
            let post = try await wire.text(wire.request(.post))
            #expect(post.hasPrefix("POST"))
            let head = try await wire.transport.send(wire.request(.head))
            #expect(head.status == 200 && head.body.isEmpty)
            let again = try await wire.text(wire.request(.post, body: .json(Array("more".utf8))))
            #expect(again.hasSuffix("\n\nmore"))
        }
    }

    @Test("a body of two megabytes arrives whole")
    func longBody() async throws {
        try await Wire.run(settings: .with { $0.maxResponseBytes = 4 << 20 }) { wire in
            let body = (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let response = try await wire.transport.send(
                wire.request(
                    .post, body: .bytes(body, contentType: "x/y"), timeout: .seconds(30)))
            #expect(response.body.suffix(body.count) == body[...])
        }
    }

    @Test("no content type, no field")
    func noContentType() async throws {
        try await Wire.run { wire in
            let body = WireBody.bytes(Array("x".utf8), contentType: "")
            let text = try await wire.text(wire.request(.post, body: body))
            #expect(!text.lowercased().contains("content-type"))
            #expect(text.hasSuffix("\n\nx"))
        }
    }

    @Test("multipart bodies carry bytes and files")
    func multipart() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await Wire.run { wire in
            let parts = [
                WirePart("ttl", .bytes(Array("720".utf8))),
                WirePart("filename", .file(file.path), fileName: "ids.txt", contentType: "text/plain"),
            ]
            let text = try await wire.text(wire.request(.post, body: .multipart(parts)))
            #expect(text.contains("name=\"ttl\"") && text.contains("720"))
            #expect(text.contains("filename=\"ids.txt\"") && text.contains("from a file"))
            let missing = await failure(
                wire, wire.request(.post, body: .multipart([WirePart("f", .file("/nowhere/x"))])))
            #expect(missing?.kind == .invalidArgument)
            #expect(missing?.effect == .notApplied)
        }
    }

    // MARK: What must not be sent

    @Test(
        "an address that would split a request or leave this machine in the clear is refused before a byte",
        arguments: [
            "https://localhost/a b", "https://localhost/a\r\nX: y", "https://localhost/\u{0}", "https://localhost/é",
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost@example.com/", "ftp://localhost/",
            "file:///etc/passwd", "https://user:pass@localhost/", "", "nonsense", "https://",
        ])
    func addresses(url: String) async throws {
        let transport = try CurlTransport()
        let error = await #expect(throws: PushError.self) {
            try await transport.send(TransportRequest(method: .get, url: url, timeout: .seconds(5)))
        }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.effect == .notApplied)
        await transport.shutdown()
    }

    @Test("plain HTTP leaves this machine only for hosts that the configuration names")
    func plainHosts() async throws {
        let transport = try CurlTransport(.with { $0.plainHosts = ["plain.invalid"] })
        func kind(_ url: String) async -> PushError.Kind? {
            let error = await #expect(throws: PushError.self) {
                try await transport.send(TransportRequest(method: .get, url: url, timeout: .seconds(5)))
            }
            return error?.kind
        }
        // It passes, and is not found, because no such host exists.
        #expect(await kind("http://plain.invalid/") == .transport)
        for url in ["http://other.invalid/", "http://plain.invalid.example.com/", "http://x.plain.invalid/"] {
            #expect(await kind(url) == .invalidArgument)
        }
        await transport.shutdown()
    }

    @Test("an address is not let through because its beginning was")
    func similarAddresses() async throws {
        try await Wire.run(security: .plain) { wire in
            _ = try await wire.text(wire.request())
            var slashes = wire.request()
            slashes.url = slashes.url.replacingOccurrences(of: "//", with: "///")
            _ = try await wire.text(slashes)
            let port = wire.server.origin.split(separator: ":").last ?? ""
            for url in [
                "http://127.0.0.1:\(port)@example.com/", "\(wire.server.origin)@example.com/x",
                "\(wire.server.origin).example.com/x", "\(wire.server.origin)\\@example.com/",
                "http:///example.com/", "http://example.com/\(wire.server.origin)/",
                "\(wire.server.origin.uppercased().dropLast())x/",
            ] {
                var request = wire.request()
                request.url = url
                #expect(await failure(wire, request)?.kind == .invalidArgument, "\(url)")
            }
            _ = try await wire.text(wire.request(.get, "/y"))
            #expect(wire.host.journal.count == 3)
        }
    }

    @Test("line breaks in what becomes a header line are refused", arguments: ["a\r\nX: y", "a\nb", "a\u{0}b"])
    func headerLines(text: String) async throws {
        try await Wire.run { wire in
            for body in [
                WireBody.bytes([], contentType: text), .multipart([WirePart(text, .bytes([]))]),
                .multipart([WirePart("a", .bytes([]), fileName: text)]),
            ] {
                #expect(await failure(wire, wire.request(.post, body: body))?.kind == .invalidArgument)
            }
            // A header value is made harmless by its own type, so it can split nothing.
            let headers: HTTPFields = [.accept: text]
            let answer = try? await wire.text(wire.request(headers: headers))
            #expect(answer?.contains("\nX: y") != true)
            #expect(wire.host.journal.count <= 1)
        }
    }

    // MARK: Answers

    @Test("redirects are never followed", arguments: [301, 302, 307, 308])
    func redirects(status: Int) async throws {
        try await Wire.run { wire in
            wire.host.faults.add(
                .answer(SimulatedResponse(status: status, headers: [.location: wire.server.origin + "/y"])))
            let answer = try await wire.transport.send(wire.request())
            #expect(answer.status == status)
            #expect(wire.host.journal.count == 1)
        }
    }

    @Test("an answer's body or header beyond the limit is refused, its effect unknown", arguments: [true, false])
    func tooLong(isBody: Bool) async throws {
        try await Wire.run { wire in
            if isBody {
                wire.host.faults.add(.oversize(bytes: 1 << 20))
            } else {
                let name = try #require(HTTPField.Name("X-Long"))
                let headers = HTTPFields(
                    (0..<20).map { _ in HTTPField(name: name, value: String(repeating: "x", count: 4000)) })
                wire.host.faults.add(.answer(SimulatedResponse(status: 200, headers: headers)))
            }
            let error = await failure(wire, wire.request())
            #expect(error?.kind == .malformedResponse)
            #expect(error?.effect == .unknown)
            // The transport is as good as new.
            #expect(try await wire.transport.send(wire.request()).status == 200)
        }
    }

    @Test(
        "an answer that breaks off has an unknown effect",
        arguments: [Fault.truncated, .hangUp(afterBytes: 5), .hangUp(afterBytes: 0), .actedThenLost],
        [CurlConfiguration.HTTPVersion.http1, .negotiated])
    func brokenAnswers(fault: Fault, version: CurlConfiguration.HTTPVersion) async throws {
        try await Wire.run(settings: .with { $0.httpVersion = version }) { wire in
            wire.host.faults.add(fault)
            let error = await failure(wire, wire.request(.post, body: .json([0x7B, 0x7D])))
            #expect(error?.kind == .transport)
            #expect(error?.effect == .unknown)
            #expect(wire.host.journal.count == 1)
        }
    }

    @Test(
        "a kept connection that closes without an answer does not make libcurl send the request again",
        arguments: [HTTPRequest.Method.post, .delete], [CurlConfiguration.HTTPVersion.http1, .negotiated])
    func noSilentRepetition(method: HTTPRequest.Method, version: CurlConfiguration.HTTPVersion) async throws {
        try await Wire.run(security: version == .http1 ? .plain : .tls, settings: .with { $0.httpVersion = version }) {
            wire in
            let body: WireBody = method == .post ? .json(Array("{}".utf8)) : .none
            for _ in 0..<5 {
                _ = try await wire.transport.send(wire.request(method, body: body))
                wire.host.journal.removeAll()
                wire.host.faults.add(.actedThenLost)
                let error = await failure(wire, wire.request(method, body: body))
                #expect(error?.effect == .unknown)
                #expect(wire.host.journal.count == 1)
            }
        }
    }

    @Test("a slow drip is read to its end")
    func drip() async throws {
        try await Wire.run { wire in
            wire.host.faults.add(.drip(.microseconds(100)))
            let text = try await wire.text(wire.request(timeout: .seconds(30)))
            #expect(text.hasPrefix("GET /x"))
        }
    }

    @Test("an answer later than the time-out has an unknown effect, silence too")
    func timeouts() async throws {
        try await Wire.run { wire in
            for fault in [Fault.silence, .actedThenLate(.seconds(8))] {
                // The connection is there: the time-out is for the answer.
                _ = try await wire.transport.send(wire.request())
                wire.host.faults.add(fault)
                let error = await failure(wire, wire.request(timeout: .seconds(2)))
                #expect(error?.kind == .timeout)
                #expect(error?.effect == .unknown)
                #expect(error?.retry == .backoff)
            }
        }
    }

    // MARK: Before the first byte

    @Test("a closed port, a silent handshake, an unknown host: nothing was applied")
    func notApplied() async throws {
        let closed = SilentPort(isListening: false)
        let silent = SilentPort()
        let transport = try CurlTransport()
        for (url, kind) in [
            ("https://127.0.0.1:\(closed.port)/", PushError.Kind.transport),
            ("https://127.0.0.1:\(silent.port)/", .timeout),
            ("https://nowhere.invalid/", .transport),
        ] {
            let error = await #expect(throws: PushError.self) {
                try await transport.send(
                    TransportRequest(
                        method: .post, url: url, body: .json([0x7B, 0x7D]), timeout: .milliseconds(500)))
            }
            #expect(error?.effect == .notApplied, "\(url)")
            #expect(error?.retry == .backoff, "\(url)")
            if url != "https://nowhere.invalid/" { #expect(error?.kind == kind, "\(url)") }
        }
        await transport.shutdown()
    }

    @Test("an untrusted certificate, another host's and another key than the pinned one are refused before a byte")
    func trust() async throws {
        try await Wire.run { wire in
            for configure in [
                { $0.caFile = nil }, { $0.pinnedPublicKey = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
            ] as [(inout CurlConfiguration) -> Void] {
                var settings = CurlConfiguration()
                settings.caFile = wire.server.caFile
                configure(&settings)
                let transport = try CurlTransport(settings)
                let error = await #expect(throws: PushError.self) { try await transport.send(wire.request()) }
                #expect(error?.kind == .transport)
                #expect(error?.effect == .notApplied)
                #expect(error?.retry == .never)
                await transport.shutdown()
            }
            // The certificate is good for localhost and 127.0.0.1, not for 127.0.0.2.
            let port = try #require(wire.server.origin.split(separator: ":").last)
            var request = wire.request()
            request.url = "https://127.0.0.2:\(port)/"
            let error = await failure(wire, request)
            #expect(error?.effect == .notApplied)
            #expect(wire.host.journal.count == 0)
        }
    }

    @Test("settings that cannot work are refused at the start")
    func settings() {
        var settings = CurlConfiguration()
        settings.caFile = "/nowhere/ca.pem"
        let error = #expect(throws: PushError.self) { try CurlTransport(settings) }
        #expect(error?.kind == .misconfigured)
        var split = CurlConfiguration()
        split.userAgent = "a\r\nX: y"
        #expect(throws: PushError.self) { try CurlTransport(split) }
    }

    @Test("a configuration prints and dumps nothing of a proxy's credentials")
    func secrecy() {
        let settings = CurlConfiguration.with { $0.proxy = Secret("http://user:hunter2hunter2@proxy:3128") }
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("hunter2"))
    }

    @Test("proxy variables of the environment are not read")
    func environment() async {
        // In a process of its own, because the environment belongs to all tests.
        await #expect(processExitsWith: .success) {
            setenv("https_proxy", "http://127.0.0.1:9", 1)
            setenv("all_proxy", "http://127.0.0.1:9", 1)
            try await Wire.run { wire in
                guard try await wire.transport.send(wire.request()).status == 200 else { fatalError("no answer") }
            }
        }
    }

    @Test("a configured proxy is used")
    func proxy() async throws {
        let closed = SilentPort(isListening: false)
        try await Wire.run(settings: .with { $0.proxy = Secret("http://127.0.0.1:\(closed.port)") }) { wire in
            let error = await failure(wire, wire.request())
            #expect(error?.kind == .transport)
            #expect(error?.effect == .notApplied)
            // What is not encrypted must not go through it.
            let plain = TransportRequest(
                method: .get, url: "http://localhost:1/", timeout: .seconds(5))
            #expect(await failure(wire, plain)?.kind == .invalidArgument)
        }
    }

    // MARK: Many at once

    @Test(
        "no more requests are in flight than configured, and all are answered",
        arguments: [CurlConfiguration.HTTPVersion.http1, .negotiated])
    func backPressure(version: CurlConfiguration.HTTPVersion) async throws {
        try await Wire.run(
            pause: .milliseconds(20),
            settings: .with {
                $0.maxInFlight = 4
                $0.httpVersion = version
            }
        ) { wire in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<60 { group.addTask { try await wire.transport.send(wire.request()).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(wire.echo.running.withLock { $0.most } <= 4)
            #expect(wire.echo.running.withLock { $0.most } > 1)
        }
    }

    @Test("everyone who waits for a place is answered in time, whoever stands before them")
    func waitingBehindOthers() async throws {
        try await Wire.run(settings: .holdable) { wire in
            wire.echo.isHolding.withLock { $0 = true }
            let first = Task { try await wire.transport.send(wire.request(timeout: .seconds(300))) }
            while wire.echo.running.withLock({ $0.now }) == 0 { await Task.yield() }
            let isPatientDone = Locked(false)
            let patient = Task {
                defer { isPatientDone.withLock { $0 = true } }
                return try await wire.transport.send(wire.request(timeout: .seconds(Int64.max)))
            }
            for _ in 0..<10 { await Task.yield() }
            let error = await failure(wire, wire.request(timeout: .milliseconds(100)))
            #expect(error?.kind == .timeout)
            // The one before it has not ended yet.
            #expect(!isPatientDone.withLock { $0 })
            wire.echo.isHolding.withLock { $0 = false }
            let answers = [try await first.value.status, try await patient.value.status]
            #expect(answers == [200, 200])
        }
    }

    @Test("a caller who waits for a place longer than its time-out is told that nothing was sent")
    func waitingTimeout() async throws {
        try await Wire.run(settings: .holdable) { wire in
            wire.echo.isHolding.withLock { $0 = true }
            let first = Task { try await wire.transport.send(wire.request(timeout: .seconds(300))) }
            while wire.echo.running.withLock({ $0.now }) == 0 { await Task.yield() }
            let error = await failure(wire, wire.request(timeout: .milliseconds(200)))
            #expect(error?.kind == .timeout)
            #expect(error?.effect == .notApplied)
            wire.echo.isHolding.withLock { $0 = false }
            let answer = try await first.value
            #expect(answer.status == 200)
        }
    }

    // MARK: Cancellation and shutdown

    @Test("cancelling ends a request at once, whether it waits, runs or has not begun")
    func cancellation() async throws {
        try await Wire.run(settings: .with { $0.maxInFlight = 1 }) { wire in
            wire.host.faults.add(.silence)
            let running = Task { try await wire.transport.send(wire.request(timeout: .seconds(50))) }
            while wire.host.journal.count == 0 { await Task.yield() }
            let waiting = Task { try await wire.transport.send(wire.request(timeout: .seconds(50))) }
            let early = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await wire.transport.send(wire.request(timeout: .seconds(50)))
            }
            let start = ContinuousClock.now
            for task in [early, waiting, running] { task.cancel() }
            for (task, effect) in [(early, PushError.Effect.notApplied), (waiting, .notApplied), (running, .unknown)] {
                let error = await #expect(throws: PushError.self) { try await task.value }
                #expect(error?.kind == .cancelled)
                #expect(error?.effect == effect)
            }
            #expect(ContinuousClock.now - start < .seconds(5))
            #expect(wire.host.journal.count == 1)
        }
    }

    // MARK: The executor

    @Test("tasks that prefer the transport's executor run on its thread, and elsewhere after a shutdown")
    func executor() async throws {
        try await Wire.run(settings: .with { $0.maxInFlight = 8 }) { wire in
            @Sendable func thread() -> UInt { UInt(bitPattern: pthread_self().hashValue) }
            let threads = try await withThrowingTaskGroup(of: UInt.self) { group in
                for number in 0..<100 {
                    group.addTask(executorPreference: wire.transport.executor) {
                        let before = thread()
                        let text = try await wire.text(wire.request(.get, "/\(number)"))
                        #expect(text.hasPrefix("GET /\(number)?"))
                        #expect(thread() == before)
                        return before
                    }
                }
                return try await group.reduce(into: Set<UInt>()) { $0.insert($1) }
            }
            #expect(threads.count == 1)
            #expect(!threads.contains(thread()))

            wire.host.faults.add(.silence, times: 1)
            let pending = Task(executorPreference: wire.transport.executor) {
                await failure(wire, wire.request(timeout: .seconds(50)))?.kind
            }
            while wire.host.journal.count < 101 { await Task.yield() }
            await wire.transport.shutdown()
            #expect(await pending.value == .cancelled)
            let late = Task(executorPreference: wire.transport.executor) {
                await failure(wire, wire.request())?.kind == .stopped ? thread() : 0
            }
            #expect(!threads.contains(await late.value))
            #expect(await late.value != 0)
        }
    }

    @Test("a shutdown from a task on the transport's own thread ends")
    func shutdownFromWithin() async throws {
        try await Wire.run { wire in
            await withTaskExecutorPreference(wire.transport.executor) {
                _ = try? await wire.text(wire.request())
                await wire.transport.shutdown()
            }
            #expect(await failure(wire, wire.request())?.kind == .stopped)
        }
    }

    @Test("cancelled tasks on the transport's own thread are answered")
    func cancelledOnExecutor() async throws {
        try await Wire.run(settings: .with { $0.maxInFlight = 2 }) { wire in
            wire.host.faults.add(.silence, times: 2)
            let tasks = (0..<6).map { _ in
                Task(executorPreference: wire.transport.executor) {
                    await failure(wire, wire.request(timeout: .seconds(50)))?.kind
                }
            }
            while wire.host.journal.count < 2 { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value == .cancelled) }
        }
    }

    @Test("shutdown answers everyone, and a call after it is refused")
    func shutdown() async throws {
        try await Wire.run(settings: .with { $0.maxInFlight = 2 }) { wire in
            wire.host.faults.add(.silence, times: 2)
            let tasks = (0..<10).map { _ in Task { try await wire.transport.send(wire.request(timeout: .seconds(50))) }
            }
            while wire.host.journal.count < 2 { await Task.yield() }
            await wire.transport.shutdown()
            for task in tasks {
                let error = await #expect(throws: PushError.self) { try await task.value }
                #expect(error?.kind == .cancelled || error?.kind == .stopped)
            }
            #expect(await failure(wire, wire.request())?.kind == .stopped)
            await wire.transport.shutdown()
            for _ in 0..<50 {
                let transport = try CurlTransport()
                async let first: Void = transport.shutdown()
                async let second: Void = transport.shutdown()
                _ = await (first, second)
            }
        }
    }

    @Test("transports that come and go leave no descriptor and no thread behind")
    func noLeaks() async throws {
        // In a process of its own, where nobody else opens anything.
        await #expect(processExitsWith: .success) {
            @Sendable func count(_ folder: String) -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
            }
            try await Wire.run { wire in
                func useTransports(_ number: Int) async throws {
                    for _ in 0..<number {
                        var settings = CurlConfiguration()
                        settings.caFile = wire.server.caFile
                        let transport = try CurlTransport(settings)
                        _ = try await transport.send(wire.request())
                        await transport.shutdown()
                    }
                }
                try await useTransports(3)
                let before = (files: count("/proc/self/fd"), threads: count("/proc/self/task"))
                try await useTransports(30)
                // The server and detached threads end a moment after their clients.
                let end = ContinuousClock.now + .seconds(10)
                while count("/proc/self/fd") > before.files + 4 || count("/proc/self/task") > before.threads + 4 {
                    guard ContinuousClock.now < end else { fatalError("something was left behind") }
                    await Task.yield()
                }
            }
        }
    }

    @Test("a transport that nobody shuts down ends with its last reference")
    func released() async throws {
        try await Wire.run { wire in
            weak var reference: CurlTransport?
            do {
                var settings = CurlConfiguration()
                settings.caFile = wire.server.caFile
                let transport = try CurlTransport(settings)
                reference = transport
                _ = try await transport.send(wire.request())
            }
            #expect(reference == nil)
        }
    }
}
