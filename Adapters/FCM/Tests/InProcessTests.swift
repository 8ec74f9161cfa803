import FCMSimulator
import FoundationEssentials
import PushAdapter
import PushClient
import PushFCM
import PushSimulation
import TestSupport
import Testing

@Suite("FCM, adapter against simulator")
struct InProcessTests {
    private let message = Message(notification: Notification(title: "T", body: "B", extras: ["order": "7"]))

    @Test("a message reaches its devices, one request each, and one exchange gets the token for all")
    func send() async throws {
        let firebase = try Firebase(devices: 40)
        let report = try await firebase.client.send(message, to: Firebase.devices(40))
        #expect(report.isComplete && report.messageIDs.count == 40)
        #expect(await firebase.simulator.exchangeCount == 1)
        let inbox = await firebase.simulator.inbox(of: Firebase.device(7).rawValue)
        #expect(inbox.map(\.alert) == ["B"] && inbox.map(\.title) == ["T"] && inbox[0].extras == ["order": "7"])
    }

    @Test("installations are targets as well")
    func installations() async throws {
        let firebase = try Firebase(ids: .installations)
        let ids = (0..<2).map(Firebase.installation)
        #expect(try await firebase.client.send(message, to: .devices(ids)).isComplete)
        #expect(await firebase.simulator.inbox(of: ids[1].rawValue).count == 1)
    }

    @Test("a dry run delivers nothing, and still finds a dead token")
    func validate() async throws {
        let firebase = try Firebase()
        _ = try await firebase.client.validate(message, to: .devices([Firebase.device(0)]))
        #expect(await firebase.simulator.sendCount == 0)
        await firebase.simulator.unregister(Firebase.device(0).rawValue)
        await expectThrows(.error(code: "UNREGISTERED")) {
            try await firebase.client.validate(message, to: .devices([Firebase.device(0)]))
        }
    }

    @Test("tags are topics: set, read, sent to, removed")
    func tags() async throws {
        let firebase = try Firebase(prefix: "shop-")
        let device = Firebase.device(0)
        _ = try await firebase.client.updateTags(.add(["vip", "größe/42"]), of: device)
        _ = try await firebase.client.updateTags(.add(["vip"]), of: device)
        #expect(try await firebase.client.readTags(of: device) == ["vip", "größe/42"])
        #expect(
            await firebase.simulator.topics(of: device.rawValue).sorted() == ["shop-gr%C3%B6%C3%9Fe%2F42", "shop-vip"])
        #expect(try await firebase.client.send(message, to: .tagged(anyOf: ["größe/42"])).isComplete)
        #expect(await firebase.simulator.inbox(of: device.rawValue).count == 1)
        _ = try await firebase.client.updateTags(.remove(["vip", "never"]), of: device)
        #expect(try await firebase.client.readTags(of: device) == ["größe/42"])
        _ = try await firebase.client.updateTags(.replace(["a", "b"]), of: device)
        #expect(try await firebase.client.readTags(of: device) == ["a", "b"])
    }

    @Test("a tag is given to many devices, by the API of 2026 and by Instance ID", arguments: FCM.TopicAPI.allCases)
    func members(topicAPI: FCM.TopicAPI) async throws {
        let firebase = try Firebase(devices: 30, topicAPI: topicAPI)
        await firebase.simulator.unregister(Firebase.device(7).rawValue)
        let devices = (0..<30).map(Firebase.device)
        let report = try await firebase.client.updateMembers(of: "größe", .add(devices + [devices[1], "a b"]))
        #expect(report.acceptedCount == 29 && report.exceptions.map(\.position) == [7, 30, 31])
        // The error of the 2026 API does not say whether the device or the project is missing.
        let missing: TargetStatus = topicAPI == .instanceID ? .invalid() : .suspect
        #expect(report.exceptions[0].status == missing && report.exceptions[2].status.isMalformed)
        #expect(report.invalidTargets == (topicAPI == .instanceID ? [.device(devices[7])] : []))
        #expect(report.slices[0].requestCount == (topicAPI == .instanceID ? 1 : 30))
        #expect(try await firebase.client.readTags(of: devices[29]) == ["größe"])
        #expect(try await firebase.client.send(message, to: .tagged(anyOf: ["größe"])).isComplete)
        #expect(await firebase.simulator.inbox(of: devices[12].rawValue).count == 1)
        // The same changes again have no further effect.
        #expect(try await firebase.client.updateMembers(of: "größe", .add([devices[1]])).isComplete)
        #expect(try await firebase.client.updateMembers(of: "größe", .remove([devices[1], devices[2]])).isComplete)
        #expect(try await firebase.client.readTags(of: devices[2]).isEmpty)
        _ = try await firebase.client.updateTags(.add(["one"]), of: devices[2])
        _ = try await firebase.client.updateTags(.replace(["two"]), of: devices[2])
        #expect(try await firebase.client.readTags(of: devices[2]) == ["two"])
        let unknown = (0..<150).map { Firebase.device(1000 + $0) }
        let late = try await firebase.client.updateMembers(of: "größe", .add(unknown + [devices[3]]))
        #expect(late.acceptedCount == 1 && late.exceptions.allSatisfy { $0.status != .notAttempted })
        await expectThrows(.error(.noTarget, effect: .notApplied)) {
            try await firebase.client.updateTags(.add(["one"]), of: devices[7])
        }
    }

    @Test("Instance ID: a refused access token is renewed, and a closed service is an error")
    func instanceID() async throws {
        let firebase = try Firebase(topicAPI: .instanceID)
        _ = try await firebase.client.updateMembers(of: "vip", .add([Firebase.device(0)]))
        firebase.clock.advance(by: .seconds(60))
        await firebase.simulator.expireAccessTokens()
        #expect(try await firebase.client.updateMembers(of: "vip", .add([Firebase.device(1)])).isComplete)
        #expect(await firebase.simulator.exchangeCount == 2)
        let closed = try Firebase(topicAPI: .instanceID) { project, _, _ in project.hasInstanceID = false }
        await expectThrows(.error(.unauthorized, effect: .notApplied)) {
            try await closed.client.updateMembers(of: "vip", .add([Firebase.device(0)]))
        }
        expectThrows(.error(.misconfigured)) {
            try FCM(keylessIn: "shop", deviceIDs: .installations, topicAPI: .instanceID)
        }
        expectThrows(.error(.misconfigured)) {
            try FCM(Firebase.account(), projectID: "bank", topicAPI: .instanceID)
        }
    }

    @Test("the report on deliveries is read page by page, with the wider scope that it needs")
    func deliveryData() async throws {
        let app = "1:42:android:abc"
        let firebase = try Firebase { project, _, _ in
            project.deliveries = [
                FCMDeliveryRow(
                    app: app, day: (2026, 11, 20), label: "spring", accepted: 12_000, outcomes: ["delivered": 97.5]),
                FCMDeliveryRow(app: app, day: (2026, 11, 9), accepted: 7),
            ]
        }
        let first = try await firebase.client.run(try firebase.fcm.readDeliveryData(ofApp: app, size: 1))
        #expect(first.rows.map(\.day) == ["2026-11-20"] && first.rows[0].accepted == 12_000)
        #expect(first.rows[0].label == "spring" && first.rows[0].outcomes == ["delivered": 97.5])
        let token = try #require(first.nextToken)
        let second = try await firebase.client.run(try firebase.fcm.readDeliveryData(ofApp: app, size: 1, after: token))
        #expect(second.rows.map(\.day) == ["2026-11-09"] && second.nextToken == nil)
        // One access token for sends, one for reports.
        _ = try await firebase.client.send(message, to: .devices([Firebase.device(0)]))
        #expect(await firebase.simulator.exchangeCount == 2)
    }

    @Test("a dead token is invalid by the vendor's word, a foreign project's is suspect, and the rest arrives")
    func deadTokens() async throws {
        let firebase = try Firebase(devices: 6)
        await firebase.simulator.unregister(Firebase.device(2).rawValue)
        let report = try await firebase.client.send(message, to: Firebase.devices(6))
        #expect(report.invalidTargets == [.device(Firebase.device(2))] && report.acceptedCount == 5)
        #expect(report.exceptions.map(\.isSaidByVendor) == [true])
    }

    @Test("without the project's key for APNs, Android devices still get the message")
    func thirdParty() async throws {
        let firebase = try Firebase(devices: 6) { project, _, _ in project.hasAPNsKey = false }
        let report = try await firebase.client.send(message, to: Firebase.devices(6))
        #expect(report.acceptedCount == 5 && report.exceptions.map(\.status) == [.rejected(mayRetry: false)])
        #expect(report.slices.first?.failures == [.misconfigured: 1])
    }

    @Test("a token that the vendor ends early is renewed in the middle of a send: everybody is reached once")
    func expiryInTheMiddle() async throws {
        let firebase = try Firebase(devices: 60)
        _ = try await firebase.client.send(message, to: Firebase.devices(1))
        firebase.clock.advance(by: .seconds(60))
        await firebase.simulator.expireAccessTokens()
        #expect(try await firebase.client.send(message, to: Firebase.devices(60)).isComplete)
        #expect(await firebase.simulator.exchangeCount == 2)
        for number in 1..<60 {
            #expect(await firebase.simulator.inbox(of: Firebase.device(number).rawValue).count == 1)
        }
    }

    @Test("a deleted key ends the send before it begins, and says so")
    func deletedKey() async throws {
        let firebase = try Firebase { _, account, _ in account.keys = [:] }
        let error = await expectThrows(.error(.unauthorized, effect: .notApplied)) {
            try await firebase.client.send(message, to: Firebase.devices(3))
        }
        #expect(error?.report?.exceptions.map(\.status) == [.notAttempted, .notAttempted, .notAttempted])
        #expect(await firebase.simulator.sendCount == 0)
    }

    @Test("a clock that is wrong is the reason that the error names")
    func wrongClock() async throws {
        let firebase = try Firebase()
        let late = try FCM(Firebase.account(), dataCenter: firebase.fcm.dataCenter)
        var configuration = ClientConfiguration()
        configuration.clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_700_000_000))
        let client = PushClient(late, transport: InProcessTransport(firebase.host), configuration: configuration)
        await expectThrows(.error(naming: "clock")) { try await client.send(message, to: Firebase.devices(1)) }
    }

    @Test("the project's quota is waited for, and everybody is reached")
    func quota() async throws {
        let firebase = try Firebase(devices: 50) { project, _, _ in
            project.sendsPerMinute = 20
        } configure: { fcm, _ in
            // On the virtual clock, time passes for all requests while one waits.
            fcm.capabilities.concurrency = 1
        }
        let report = try await firebase.client.send(message, to: Firebase.devices(50))
        #expect(report.isComplete, "\(report), \(report.slices.map(\.failures)), \(firebase.clock.elapsed)")
        #expect(await firebase.simulator.sendCount == 50)
    }

    @Test(
        "a token endpoint that answers nonsense sends nothing",
        arguments: [
            Fault.html(status: 502), .html(status: 200), .answer(SimulatedResponse(status: 200)),
            .answer(SimulatedResponse(status: 200, body: Array(#"{"access_token":"","expires_in":3599}"#.utf8))),
            .answer(SimulatedResponse(status: 200, body: Array(#"{"access_token":"t"}"#.utf8))),
            .throttle(reset: nil), .serverError(status: 503),
        ])
    func brokenTokenEndpoint(fault: Fault) async throws {
        let firebase = try Firebase(configure: { _, configuration in configuration.retry = .none })
        firebase.host.faults.add(fault, times: 1_000_000, path: "/token")
        let error = await expectThrows(.error(effect: .notApplied)) {
            try await firebase.client.send(message, to: Firebase.devices(3))
        }
        #expect(await firebase.simulator.sendCount == 0)
        #expect(error?.report?.exceptions.allSatisfy { $0.status == .notAttempted } == true)
    }

    @Test("a lost response stays unknown, unless the caller accepts duplicates")
    func lost() async throws {
        let firebase = try Firebase()
        firebase.host.faults.add(.actedThenLost, times: 1, path: "messages:send")
        let report = try await firebase.client.send(message, to: Firebase.devices(3))
        #expect(report.exceptions.map(\.status) == [.unknown] && report.acceptedCount == 2)
        let careless = try Firebase(configure: { fcm, _ in fcm.acceptsDuplicates = true })
        careless.host.faults.add(.actedThenLost, times: 1, path: "messages:send")
        #expect(try await careless.client.send(message, to: Firebase.devices(3)).isComplete)
        #expect(await careless.simulator.sendCount == 4)
    }

    @Test("credentials are checked without delivering anything")
    func probe() async throws {
        let firebase = try Firebase()
        try await firebase.client.run(firebase.fcm.probe())
        #expect(await firebase.simulator.sendCount == 0)
        let stranger = try Firebase { _, account, _ in account.permissions = [:] }
        await expectThrows(.error(.unauthorized)) { try await stranger.client.run(stranger.fcm.probe()) }
    }
}
