import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The headers and the payload of a push.
@Suite("APNs simulator: headers and payload")
struct APNsSimulatorHeaderTests {
    private typealias Apple = SimulatedApple

    // MARK: Address

    @Test(
        "a push is a POST to the device token",
        arguments: [
            (HTTPRequest.Method.get, "/3/device/aa", 405), (.put, "/", 405), (.post, "/", 404),
            (.post, "/3/device", 404), (.post, "/3/devices/aa", 404), (.post, "/2/device/aa", 404),
            (.post, "/3/device/", 400),
            (.post, "/3/device/aa", 403),
        ])
    func paths(method: HTTPRequest.Method, path: String, status: Int) async throws {
        let answer = try await Apple().ask(method, path)
        #expect(answer.status == status)
        let reasons = [
            405: "MethodNotAllowed", 404: "BadPath", 400: "MissingDeviceToken", 403: "MissingProviderToken",
        ]
        #expect(answer.reason == reasons[status])
    }

    @Test(
        "no header of a push may come twice",
        arguments: [
            "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-expiration", "apns-priority",
            "apns-collapse-id",
        ])
    func doubled(name: String) async throws {
        let apple = try Apple()
        let headers = [("authorization", "bearer " + apple.bearer), ("apns-topic", Apple.shop)]
        let path = "/3/device/" + Apple.token(for: .app)
        let rest = headers.filter { $0.0 != name }
        let twice = await apple.ask(.post, path, rest + [(name, "1"), (name, "1")], Apple.alert)
        #expect(twice.status == 400)
        #expect(twice.reason == "DuplicateHeaders")
        // Apple's documents do not mention other fields.
        let others = await apple.ask(.post, path, headers + [("x-a", "1"), ("x-a", "1")], Apple.alert)
        #expect(others.status == 200)
    }

    // MARK: Ids

    @Test("the id comes back as it was given, in capitals or not", arguments: [true, false])
    func echo(isLarge: Bool) async throws {
        let apple = try Apple()
        let id = isLarge ? Apple.uuid.uppercased() : Apple.uuid
        let answer = await apple.send(Apple.alert, ["apns-id": id])
        #expect(answer.status == 200)
        #expect(answer.id == id)
        #expect(answer.body.isEmpty)
        #expect(await apple.inbox().map(\.messageID) == [id])
        let refused = await apple.send(to: Apple.ghost, Apple.alert, ["apns-id": id])
        #expect(refused.id == id)
    }

    @Test(
        "an id that is not a UUID is refused, with another id",
        arguments: [
            "1", "4f6f0c1e8f0a4c9b9b1c2f6a1d0c7e55", "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e550",
            "{4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55}", "gf6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55",
            "4f6f0c1e-8f0a4-c9b-9b1c-2f6a1d0c7e55",
        ])
    func badIDs(id: String) async throws {
        let answer = try await Apple().send(Apple.alert, ["apns-id": id])
        #expect(answer.status == 400)
        #expect(answer.reason == "BadMessageId")
        #expect(answer.id?.count == 36)
        #expect(answer.id != id)
    }

    @Test("Apple's own ids are in capitals, differ, and are of no version of UUIDs")
    func ownIDs() async throws {
        let apple = try Apple()
        var ids: Set<String> = []
        for _ in 0..<50 {
            let answer = await apple.send()
            let id = try #require(answer.id)
            #expect(id == id.uppercased())
            #expect(UUID(uuidString: id) != nil)
            // In RFC 4122, the variant begins with 8, 9, A or B.
            let variant = try #require(id.split(separator: "-")[3].first)
            #expect(!"89AB".contains(variant))
            ids.insert(id)
        }
        #expect(ids.count == 50)
    }

    @Test("the development environment adds an id for its log", arguments: [AppEnvironment.production, .development])
    func uniqueIDs(environment: AppEnvironment) async throws {
        let apple = try Apple(environment: environment)
        let answer = await apple.send()
        #expect(answer.status == 200)
        #expect((answer.header("apns-unique-id") != nil) == (environment == .development))
        #expect(answer.header("apns-unique-id") != answer.id)
        #expect(await apple.send(to: Apple.ghost).header("apns-unique-id") == nil)
    }

    // MARK: Priority, expiration, collapse id

    @Test(
        "priorities",
        arguments: [("10", nil), ("5", nil), ("1", nil), ("0", "BadPriority"), ("x", "BadPriority")]
            as [(String, String?)])
    func priorities(priority: String, reason: String?) async throws {
        let answer = try await Apple().send(Apple.alert, ["apns-priority": priority])
        #expect(answer.reason == reason)
    }

    @Test(
        "a background push with priority 10 is accepted, unless the settings say otherwise",
        arguments: [("10", "BadPriority"), (nil, "BadPriority"), ("5", nil), ("1", nil)] as [(String?, String?)])
    func background(priority: String?, reason: String?) async throws {
        let headers: [String: String?] = ["apns-push-type": "background", "apns-priority": priority]
        let body = #"{"aps":{"content-available":1}}"#
        let usual = try await Apple().send(body, headers)
        #expect(usual.status == 200)
        let strict = try Apple { _, _, settings in settings.refusesUrgentBackground = true }
        #expect(await strict.send(body, headers).reason == reason)
        #expect(await strict.send(Apple.alert, ["apns-priority": priority]).status == 200)
    }

    @Test(
        "an expiration is a number of seconds",
        arguments: [
            ("0", nil), ("300", nil), ("1795168800", nil), ("-1", "BadExpirationDate"), ("1.5", "BadExpirationDate"),
            ("tomorrow", "BadExpirationDate"), ("99999999999999999999", "BadExpirationDate"),
        ] as [(String, String?)])
    func expirations(text: String, reason: String?) async throws {
        let answer = try await Apple().send(Apple.alert, ["apns-expiration": text])
        #expect(answer.reason == reason)
    }

    @Test(
        "a collapse id has up to 64 bytes",
        arguments: [("c", 64, nil), ("c", 65, "BadCollapseId"), ("é", 32, nil), ("é", 33, "BadCollapseId")]
            as [(String, Int, String?)])
    func collapseIDs(letter: String, count: Int, reason: String?) async throws {
        let id = String(repeating: letter, count: count)
        let answer = try await Apple().send(Apple.alert, ["apns-collapse-id": id])
        #expect(answer.reason == reason)
    }

    // MARK: Payload

    @Test("a payload has up to 4,096 bytes, that of a call 5,120", arguments: [("", 4096), (".voip", 5120)])
    func sizes(suffix: String, most: Int) async throws {
        let apple = try Apple()
        let token = Apple.token(for: suffix.isEmpty ? .app : .voip)
        for type in [nil, suffix.isEmpty ? "alert" : "voip"] {
            for (bytes, status) in [(most, 200), (most + 1, 413)] {
                let filler = String(repeating: "x", count: bytes - #"{"aps":{},"k":""}"#.utf8.count)
                let answer = await apple.send(
                    to: token, #"{"aps":{},"k":"\#(filler)"}"#,
                    ["apns-topic": Apple.shop + suffix, "apns-push-type": type])
                #expect(answer.status == status)
                #expect(answer.reason == (status == 200 ? nil : "PayloadTooLarge"))
            }
        }
    }

    @Test("a push has a payload")
    func empty() async throws {
        let apple = try Apple()
        #expect(await apple.send("").reason == "PayloadEmpty")
        #expect(await apple.send("{}").status == 200)
    }

    @Test(
        "a payload that is not a JSON object is accepted and lost, unless the settings say otherwise",
        arguments: [
            (APNsSimulatorSettings.UnreadablePayload.accept, nil), (.payloadEmpty, "PayloadEmpty"),
            (.badRequestPayload, "BadRequestPayload"),
        ] as [(APNsSimulatorSettings.UnreadablePayload, String?)])
    func unreadable(setting: APNsSimulatorSettings.UnreadablePayload, reason: String?) async throws {
        let apple = try Apple { _, _, settings in settings.unreadablePayload = setting }
        for body in ["hello", "[1]", #"{"aps":"#] {
            #expect(await apple.send(body).reason == reason)
        }
        #expect(await apple.inbox() == [])
        #expect(await apple.send().status == 200)
        #expect(await apple.inbox().count == 1)
    }
}
