import Foundation
import PushAdapter
import PushEngageLab
import TestSupport
import Testing

/// Every endpoint of the vendor's documents: the adapter's request, and its reading of the documented response.
@Suite("EngageLab endpoints")
struct EndpointTests {
    static let all = DocumentedCall.all()

    @Test("the request is the documented one, and the documented reply is read", arguments: all)
    func endpoint(call: DocumentedCall) throws {
        let engageLab = try Sample.engageLab {
            $0.deletesVoicesByQuery = call.id == "O4 query"
            $0.clockOffset = .zero
        }
        let made = try #require(try Self.make(call.id, engageLab), "\(call.id) has no exchange")
        #expect(made.exchange.credential == (call.id == "P5" ? .group : .app))
        try call.check(made, of: engageLab, reading: Self.expected[call.id, default: []])
    }

    @Test("there is a row for every endpoint")
    func complete() {
        let families = [
            ("D", 5), ("T", 6), ("A", 2), ("V", 1), ("P", 6), ("L", 4), ("S", 6), ("C", 6), ("O", 4), ("I", 1),
        ]
        let names = families.flatMap { name, count in (1...count).map { "\(name)\($0)" } }
        #expect(Set(Self.all.map { $0.id.split(separator: " ")[0] }) == Set(names.map { Substring($0) }))
        #expect(Set(Self.all.map(\.id)).count == Self.all.count)
    }

    // MARK: Calls

    private static let message: MessageID = "90210001"

    private static func make(_ id: String, _ engageLab: EngageLab) throws -> MadeCall? {
        switch id.first {
        case "P": try push(id, engageLab)
        case "C": try schedule(id, engageLab)
        case "L", "S", "O", "I": try rest(id, engageLab)
        default: try device(id, engageLab)
        }
    }

    private static func device(_ id: String, _ engageLab: EngageLab) throws(PushError) -> MadeCall? {
        let (one, two) = (Sample.ios, Sample.android)
        switch id {
        case "D1": return MadeCall(engageLab.readDevice(one))
        case "D2":
            return MadeCall(
                try engageLab.updateDevice(
                    DeviceUpdate(tags: .add(["vip", "lang_fr"]), removing: ["trial"], alias: .set("user_4711")), of: one
                ))
        case "D2 clear": return MadeCall(try engageLab.clearTags(of: one))
        case "D3": return MadeCall(engageLab.deleteDevice(one))
        case "D4": return MadeCall(try engageLab.readStatus(of: [one, two]))
        case "D5":
            return MadeCall(try engageLab.registerTokens(["f3a1", "bad"], on: .ios, environment: .development))
        case "T1": return MadeCall(engageLab.listTags())
        case "T2": return MadeCall(try engageLab.updateTag("城市", adding: [one], removing: [two]))
        case "T3": return MadeCall(try engageLab.deleteTag("vip", on: [.ios, .android]))
        case "T4": return MadeCall(try engageLab.countDevices(of: ["a", "b"], on: .ios))
        case "T5": return MadeCall(engageLab.testTag("vip", of: one))
        case "T6": return MadeCall(try engageLab.readTagQuota(of: ["a"], on: .ios))
        case "A1": return MadeCall(try engageLab.readDevices(of: "user_4711", on: [.android, .ios]))
        case "A2": return MadeCall(try engageLab.deleteAlias("user_4711"))
        case "V1": return MadeCall(engageLab.readPaidStatus())
        default: return nil
        }
    }

    private static func push(_ id: String, _ engageLab: EngageLab) throws -> MadeCall? {
        let hello = Message(
            notification: Notification(
                title: "Hello", body: "World", extras: ["deeplink": "app://inbox"],
                ios: IOSNotification(sound: "default", badge: .change(by: 1), isMutable: true)),
            platforms: [.ios], timeToLive: .seconds(86_400), environment: .development)
        switch id {
        case "P1":
            let message = try Sample.message(
                hello,
                options: #"{"from":"adapter","request_id":"req-2026-11-20-1","custom_args":{"tenant":"t1"}}"#)
            return MadeCall(
                try engageLab.send(
                    message, to: .devices([Sample.ios]),
                    in: SendContext(at: .distantPast, key: Sample.key("req-2026-11-20-1"))))
        case "P1 live activity":
            let activity: JSONValue = [
                "event": "start", "attributes-type": "DeliveryAttributes", "attributes": ["orderNo": "A-17"],
                "content-state": ["step": 1, "eta": 1_763_640_000],
                "alert": ["title": "Order A-17", "body": "Picked up"], "apns-priority": 10,
            ]
            return MadeCall(try engageLab.send(Message(liveActivity: activity), to: .devices([Sample.ios])))
        case "P1 tags":
            let custom = CustomMessage(content: "sync", title: "t", contentType: "json", extras: ["k": 1])
            return MadeCall(
                try engageLab.send(
                    Message(custom: custom), to: .tagged(anyOf: ["b", "a"], allOf: ["c"], noneOf: ["d"])))
        case "P2":
            return MadeCall(
                try engageLab.validate(
                    Message(notification: Notification(body: "Hi"), platforms: [.android]), to: .everyone))
        case "P3":
            let parcel = Message(
                notification: Notification(
                    title: "Parcel", body: "Out", ios: IOSNotification(badge: .change(by: 1))),
                timeToLive: .seconds(3600), environment: .development)
            return MadeCall(
                try engageLab.sendBatch([
                    EngageLabBatchItem(
                        target: .device(Sample.ios), message: parcel, key: Sample.key("parcel-88-a1")),
                    EngageLabBatchItem(
                        target: .device(Sample.android),
                        message: Message(custom: CustomMessage(content: "sync"), platforms: [.android])),
                ]))
        case "P4":
            return MadeCall(
                try engageLab.sendBatch([
                    EngageLabBatchItem(
                        target: .alias("user_4711"), message: Message(custom: CustomMessage(content: "sync")))
                ]))
        case "P5":
            return MadeCall(
                try engageLab.sendToGroup(Message(notification: Notification(body: "Hi")), to: .everyone))
        case "P6": return MadeCall(try engageLab.recall("90210044"))
        default: return nil
        }
    }

    private static func schedule(_ id: String, _ engageLab: EngageLab) throws -> MadeCall? {
        let digest = Message(notification: Notification(body: "Digest"), platforms: [.ios])
        func create(_ name: String, _ trigger: EngageLabTrigger) throws -> MadeCall {
            MadeCall(try engageLab.createSchedule(named: name, sending: digest, to: .everyone, at: trigger))
        }
        switch id {
        case "C1":
            return try create(
                "weekly_digest",
                .periodical(
                    from: "2026-12-01 00:00:00", to: "2027-05-31 23:59:59", at: TimeOfDay(hour: 8, minute: 30),
                    .weekly([.thursday, .monday]), .device))
        case "C1 single":
            let date = Date(timeIntervalSince1970: 1_796_117_400)
            return MadeCall(
                try engageLab.createSchedule(
                    Schedule(name: "once", trigger: .once(date), message: digest, audience: .everyone), key: nil))
        case "C1 intelligent": return try create("smart", .intelligent(backup: nil))
        case "C2": return MadeCall(try engageLab.listSchedules(page: 1))
        case "C3": return MadeCall(try engageLab.readSchedule("s2"))
        case "C4":
            var update = EngageLabScheduleUpdate()
            update.isEnabled = false
            return MadeCall(try engageLab.updateSchedule("s2", update))
        case "C5": return MadeCall(engageLab.removeSchedule("s2"))
        case "C6": return MadeCall(engageLab.readScheduledMessages(of: "s2"))
        default: return nil
        }
    }

    private static func rest(_ id: String, _ engageLab: EngageLab) throws(PushError) -> MadeCall? {
        let (start, end) = ("2026-11-01", "2026-11-20")
        switch id {
        case "L1": return MadeCall(try engageLab.setPlan("autumn_1", description: "Autumn"))
        case "L2": return MadeCall(try engageLab.listPlans(containing: "Aut"))
        case "L3": return MadeCall(try engageLab.removePlans(["autumn_1"]))
        case "L4": return MadeCall(try engageLab.removePlans(["a", "b"]))
        case "S1": return MadeCall(try engageLab.readDeliveries(of: [message, "90210002"]))
        case "S2": return MadeCall(try engageLab.readFates(of: message, on: [Sample.ios, Sample.android]))
        case "S3": return MadeCall(try engageLab.readFates(of: [message]))
        case "S4": return MadeCall(try engageLab.readStatistics(ofPlans: ["autumn_1"], from: start, to: end))
        case "S5": return MadeCall(try engageLab.readMessages(ofPlans: ["autumn_1", "b"], from: start, to: end))
        case "S6": return MadeCall(try engageLab.readUsers(by: .day, from: start, count: 2))
        case "O1": return MadeCall(try engageLab.uploadVoice("voices.zip", speaking: .english))
        case "O2": return MadeCall(engageLab.listVoices())
        case "O3": return MadeCall(engageLab.readVoice(.english))
        case "O4", "O4 query": return MadeCall(engageLab.removeVoice(.english))
        case "I1": return MadeCall(try engageLab.registerOPPOImage(.big, at: "https://images.invalid/a.png"))
        default: return nil
        }
    }

    /// Texts that the reading must contain, for responses that carry values.
    private static let expected: [String: [String]] = [
        "D1": ["vip", "lang_fr", "alias: Optional(…)"], "D4": ["isOnline: true", "2026-11-19 08:12:44", "nil"],
        "D5": ["isNew: true", "21003", "<secret>"], "T1": ["城市_上海"], "T4": ["3"], "T5": ["true"],
        "T6": ["totalTags: 100000", "usedAliases: 1", "used: 3"], "A1": ["a001"], "V1": ["status: 1"],
        "P1": ["90210044"], "P2": ["90210047"], "P3": ["90210001", "rateLimited", "wasRateLimited: true"],
        "P4": ["90210002", "wasRateLimited: false"], "P5": ["700001", "8001", "noTarget"],
        "L2": ["autumn_1", "count: Optional(3)"],
        "S1": [
            "vendor: PushCore.DeliveryCount(sent: Optional(120), received: Optional(118))",
            "manufacturer: PushCore.DeliveryCount(sent: Optional(5), received: Optional(4))",
            "apns: PushCore.DeliveryCount(sent: Optional(360), received: Optional(337))",
        ],
        "S2": ["delivered", "gone", "Optional(7)"], "S3": ["sent"], "S4": ["targets: Optional(2)"],
        "S5": ["90210001", "[]"], "S6": ["online: Optional(3)", "hmos"], "C1": ["0f8fad5b"],
        "C2": ["once", "isEnabled: true", "2026-12-01 09:30:00 +0000"], "C3": ["2026-12-01 09:30:00 +0000"],
        "C4": ["isEnabled: false"], "C6": ["90210001", "90210002", "90210003"], "O1": ["en.zip"], "O2": ["en.zip"],
        "I1": ["oppo-1"],
    ]
}
