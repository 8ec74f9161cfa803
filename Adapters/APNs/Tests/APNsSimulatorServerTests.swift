import APNsSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// Hosts, faults, the form of responses, and requests of other clients.
@Suite("APNs simulator: server")
struct APNsSimulatorServerTests {
    typealias Hosts = APNsSimulatorSettings.BroadcastHosts

    private static let calls = ["/3/device/aa", "/4/broadcasts/apps/a", "/1/apps/a/channels"]

    /// The hosts of an environment, and which of the calls they have: pushes, broadcasts, channels.
    private static let hosts: [(host: String, environment: AppEnvironment, hosts: Hosts, served: [Bool])] = [
        ("localhost", .production, .both, [true, true, true]), ("", .production, .both, [true, true, true]),
        ("api.push.apple.com", .production, .both, [true, true, false]),
        ("API.push.apple.com", .production, .both, [true, true, false]),
        ("api-broadcast.push.apple.com", .production, .both, [false, true, false]),
        ("api-manage-broadcast.push.apple.com", .production, .both, [false, false, true]),
        ("api.sandbox.push.apple.com", .production, .both, [false, false, false]),
        ("api-manage-broadcast.sandbox.push.apple.com", .production, .both, [false, false, false]),
        ("api.sandbox.push.apple.com", .development, .both, [true, true, false]),
        ("api.development.push.apple.com", .development, .both, [true, true, false]),
        ("api-broadcast.sandbox.push.apple.com", .development, .both, [false, true, false]),
        ("api-manage-broadcast.sandbox.push.apple.com", .development, .both, [false, false, true]),
        ("api.push.apple.com", .development, .both, [false, false, false]),
        // Which hosts take broadcasts is a setting.
        ("api.push.apple.com", .production, .ordinary, [true, true, false]),
        ("api-broadcast.push.apple.com", .production, .ordinary, [false, false, false]),
        ("api.push.apple.com", .production, .dedicated, [true, false, false]),
        ("api-broadcast.push.apple.com", .production, .dedicated, [false, true, false]),
    ]

    @Test("a host of Apple's has its own paths only, and every other host has all", arguments: hosts)
    func host(host: String, environment: AppEnvironment, hosts: Hosts, served: [Bool]) async throws {
        let apple = try Apple(environment: environment, settings: { $0.broadcastHosts = hosts })
        for (path, isServed) in zip(Self.calls, served) {
            let reason = await apple.ask(.post, path, host: host).reason
            #expect(reason == (isServed ? "MissingProviderToken" : "BadPath"), "\(path)")
        }
    }

    @Test("the addresses have the versions of the paths")
    func addresses() throws {
        let simulator = try Apple().simulator
        let here = "https://localhost:1"
        #expect(simulator.vendor == "apns")
        #expect(
            simulator.addresses(at: here) == [
                "origin": here, "apns": here + "/3", "broadcast": here + "/4", "channels": here + "/1",
            ])
    }

    @Test("a refusal is JSON, with a content type only if the settings say so", arguments: [false, true])
    func contentType(isWritten: Bool) async throws {
        let apple = try Apple(settings: { $0.writesContentType = isWritten })
        let answer = await apple.send(to: Apple.ghost)
        #expect(answer.json == ["reason": "BadDeviceToken"])
        #expect(answer.headers[.contentType] == (isWritten ? "application/json" : nil))
        #expect(answer.headers.count == (isWritten ? 2 : 1))
        #expect(await apple.send().headers[.contentType] == nil)
    }

    private static let faults: [(status: Int, path: String, outcome: String)] =
        calls.flatMap { [(429, $0, "429 TooManyRequests"), (500, $0, "500 InternalServerError")] } + [
            (502, calls[0], "502 InternalServerError"), (503, calls[0], "503 ServiceUnavailable"),
            (503, calls[1], "503 Service Unavailable"), (503, calls[2], "503 Service Unavailable"),
        ]

    @Test(
        "faults have Apple's reasons; at 503 a server may say that it shuts down, or leave out the blank",
        arguments: faults)
    func fault(status: Int, path: String, outcome: String) throws {
        let request = SimulatedRequest(method: .post, path: path, query: "", headers: [:], body: [])
        func answer(_ edit: (inout APNsSimulatorSettings) -> Void = { _ in }) throws -> SimulatedResponse {
            let simulator = try Apple(settings: edit).simulator
            return status == 429
                ? simulator.throttled(reset: 7, for: request) : simulator.failed(status: status, for: request)
        }
        let plain = try answer()
        #expect(plain.outcome == outcome && plain.headers[.retryAfter] == nil)
        #expect(plain.header(path == Self.calls[0] ? "apns-id" : "apns-request-id")?.count == 36)
        let (closing, unspaced) = (
            try answer { $0.failsWithShutdown = true }, try answer { $0.spacesServiceUnavailable = false }
        )
        #expect(closing.outcome == (status == 503 ? "503 Shutdown" : outcome))
        #expect(unspaced.outcome == (status == 503 ? "503 ServiceUnavailable" : outcome))
    }

    @Test(
        "requests of other clients are accepted",
        arguments: [
            ["content-type": "application/json", "user-agent": "APNS/swift-nio"], [:],
            ["content-type": "application/json; charset=utf-8", "content-length": "22", "accept": "application/json"],
            ["apns-priority": "10", "apns-expiration": "0", "apns-id": "4F6F0C1E-8F0A-4C9B-9B1C-2F6A1D0C7E55"],
            ["apns-collapse-id": "", "x-request": "1"],
        ] as [[String: String]], ["alert", nil])
    func clients(headers: [String: String], type: String?) async throws {
        let apple = try Apple()
        var all: [String: String?] = headers.mapValues { $0 }
        all.updateValue(type, forKey: "apns-push-type")
        #expect(await apple.send("  {\n\"aps\" : { \"alert\" : \"B\" } }\n", all).outcome == "200")
        #expect(await apple.inbox().map(\.alert) == ["B"])
    }

    @Test("a pass of Wallet is a push with nothing in it")
    func wallet() async throws {
        let apple = try Apple()
        #expect(await apple.send("{}", ["apns-push-type": nil]).status == 200)
        let inbox = await apple.inbox()
        #expect(inbox.map(\.isVisible) == [false] && inbox.map(\.custom) == [nil])
    }
}
