import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Hosts, faults, the form of responses, and requests of other clients.
@Suite("APNs simulator: server")
struct APNsSimulatorServerTests {
    private typealias Apple = SimulatedApple

    // MARK: Hosts

    private static let calls = ["/3/device/aa", "/4/broadcasts/apps/a", "/1/apps/a/channels"]

    @Test(
        "a host of Apple's has its own paths only, and every other host has all",
        arguments: [
            ("localhost", [true, true, true]), ("", [true, true, true]), ("api.push.apple.com", [true, true, false]),
            ("API.push.apple.com", [true, true, false]), ("api-broadcast.push.apple.com", [false, true, false]),
            ("api-manage-broadcast.push.apple.com", [false, false, true]),
            ("api.sandbox.push.apple.com", [false, false, false]),
            ("api-manage-broadcast.sandbox.push.apple.com", [false, false, false]),
        ])
    func hosts(host: String, served: [Bool]) async throws {
        let apple = try Apple()
        for (path, isServed) in zip(Self.calls, served) {
            let answer = await apple.ask(.post, path, host: host)
            #expect(answer.reason == (isServed ? "MissingProviderToken" : "BadPath"), "\(path)")
        }
    }

    @Test(
        "the development environment has hosts of its own",
        arguments: [
            ("api.sandbox.push.apple.com", [true, true, false]),
            ("api.development.push.apple.com", [true, true, false]),
            ("api-broadcast.sandbox.push.apple.com", [false, true, false]),
            ("api-manage-broadcast.sandbox.push.apple.com", [false, false, true]),
            ("api.push.apple.com", [false, false, false]),
        ])
    func sandbox(host: String, served: [Bool]) async throws {
        let apple = try Apple(environment: .development)
        for (path, isServed) in zip(Self.calls, served) {
            let answer = await apple.ask(.post, path, host: host)
            #expect(answer.reason == (isServed ? "MissingProviderToken" : "BadPath"), "\(path)")
        }
    }

    @Test(
        "which hosts take broadcasts is a setting",
        arguments: [
            (APNsSimulatorSettings.BroadcastHosts.ordinary, true, false), (.dedicated, false, true),
            (.both, true, true),
        ])
    func broadcastHosts(setting: APNsSimulatorSettings.BroadcastHosts, ordinary: Bool, dedicated: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.broadcastHosts = setting }
        for (host, isServed) in [("api.push.apple.com", ordinary), ("api-broadcast.push.apple.com", dedicated)] {
            let answer = await apple.ask(.post, Self.calls[1], host: host)
            #expect(answer.reason == (isServed ? "MissingProviderToken" : "BadPath"))
        }
    }

    @Test("the addresses have the versions of the paths")
    func addresses() throws {
        let simulator = try Apple().simulator
        #expect(simulator.vendor == "apns")
        #expect(
            simulator.addresses(at: "https://localhost:1") == [
                "origin": "https://localhost:1", "apns": "https://localhost:1/3", "broadcast": "https://localhost:1/4",
                "channels": "https://localhost:1/1",
            ])
    }

    // MARK: Responses

    @Test("a refusal is JSON, with a content type only if the settings say so", arguments: [false, true])
    func contentType(isWritten: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.writesContentType = isWritten }
        let answer = await apple.send(to: Apple.ghost)
        #expect(answer.json == ["reason": "BadDeviceToken"])
        #expect(answer.headers[.contentType] == (isWritten ? "application/json" : nil))
        #expect(answer.headers.count == (isWritten ? 2 : 1))
        #expect(await apple.send().headers[.contentType] == nil)
    }

    private static func request(_ path: String) -> SimulatedRequest {
        SimulatedRequest(method: .post, path: path, query: "", headers: [:], body: [])
    }

    @Test("faults have Apple's reasons")
    func faults() throws {
        let simulator = try Apple().simulator
        func failed(_ status: Int, _ path: String) -> Apple.Answer {
            Apple.Answer(simulator.failed(status: status, for: Self.request(path)))
        }
        for path in Self.calls {
            let idHeader = path == Self.calls[0] ? "apns-id" : "apns-request-id"
            let internalError = failed(500, path)
            #expect(internalError.status == 500)
            #expect(internalError.json == ["reason": "InternalServerError"])
            #expect(internalError.header(idHeader)?.count == 36)
            let throttled = Apple.Answer(simulator.throttled(reset: 7, for: Self.request(path)))
            #expect(throttled.status == 429)
            #expect(throttled.json == ["reason": "TooManyRequests"])
            #expect(throttled.header(idHeader)?.count == 36)
            #expect(throttled.headers[.retryAfter] == nil)
        }
        #expect(failed(502, Self.calls[0]).status == 502)
        #expect(failed(503, Self.calls[0]).json == ["reason": "ServiceUnavailable"])
        #expect(failed(503, Self.calls[1]).json == ["reason": "Service Unavailable"])
        #expect(failed(503, Self.calls[2]).status == 503)
    }

    @Test("a server may say that it shuts down, and leave out the blank")
    func shutdown() throws {
        let closing = try Apple { _, _, settings in settings.failsWithShutdown = true }.simulator
        let plain = try Apple { _, _, settings in settings.spacesServiceUnavailable = false }.simulator
        for path in Self.calls {
            let shutdown = Apple.Answer(closing.failed(status: 503, for: Self.request(path)))
            #expect(shutdown.status == 503)
            #expect(shutdown.json == ["reason": "Shutdown"])
            let unavailable = Apple.Answer(plain.failed(status: 503, for: Self.request(path)))
            #expect(unavailable.json == ["reason": "ServiceUnavailable"])
        }
    }

    // MARK: Other clients

    @Test(
        "requests of other clients are accepted",
        arguments: [
            ["content-type": "application/json", "user-agent": "APNS/swift-nio"], [:],
            ["content-type": "application/json; charset=utf-8", "content-length": "22", "accept": "application/json"],
            ["apns-priority": "10", "apns-expiration": "0", "apns-id": "4F6F0C1E-8F0A-4C9B-9B1C-2F6A1D0C7E55"],
            ["apns-collapse-id": "", "x-request": "1"],
        ] as [[String: String]])
    func clients(headers: [String: String]) async throws {
        let apple = try Apple()
        for type in ["alert", nil] {
            var all: [String: String?] = headers.mapValues { $0 }
            all.updateValue(type, forKey: "apns-push-type")
            let answer = await apple.send("  {\n\"aps\" : { \"alert\" : \"B\" } }\n", all)
            #expect(answer.status == 200)
        }
        #expect(await apple.inbox().map(\.alert) == ["B", "B"])
    }

    @Test("a pass of Wallet is a push with nothing in it")
    func wallet() async throws {
        let apple = try Apple()
        #expect(await apple.send("{}", ["apns-push-type": nil]).status == 200)
        let inbox = await apple.inbox()
        #expect(inbox.map(\.isVisible) == [false])
        #expect(inbox.map(\.custom) == [nil])
    }
}
