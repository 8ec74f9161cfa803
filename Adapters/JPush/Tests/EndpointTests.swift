import Foundation
import PushAdapter
import PushJPush
import TestSupport
import Testing

/// Every endpoint of the vendor's documents: the adapter's request, and its reading of the documented response.
@Suite("JPush endpoints")
struct EndpointTests {
    static let all = DocumentedCall.all()

    @Test("the request is the documented one, and the documented reply is read", arguments: all)
    func endpoint(call: DocumentedCall) throws {
        let jpush = try Sample.jpush()
        let made = try #require(try Self.make(call.id, jpush), "\(call.id) has no exchange")
        #expect(made.exchange.credential == call.credential)
        try call.check(made, of: jpush, reading: Self.expected[call.id, default: []])
    }

    @Test("there is a row for every endpoint of the families that the adapter speaks")
    func complete() {
        let families = [("D", 14), ("P", 14), ("F", 4), ("S", 6), ("R", 8)]
        let names = families.flatMap { name, count in (1...count).map { "\(name)\($0)" } }
        #expect(Set(Self.all.map { $0.id.split(separator: " ")[0] }) == Set(names.map { Substring($0) }))
        #expect(Set(Self.all.map(\.id)).count == Self.all.count)
    }

    // MARK: Calls

    private static let device: DeviceID = "190e35f7e0a1b2c3d4e"
    private static let other: DeviceID = "191e35f7e0a1b2c3d4f"
    private static let message: MessageID = "18103084512345678"
    private static let schedule: ScheduleID = "0f8fad5b-d9cb-469f-a165-70867728950e"

    private static func key(_ end: String, _ kind: KeyedRequest = .push) -> IdempotencyKey {
        Sample.key("\(Sample.appKey)-\(end)", kind)
    }

    private static func make(_ id: String, _ jpush: JPush) throws(PushError) -> MadeCall? {
        if id.hasPrefix("D") { return try device(id, jpush) }
        if id.hasPrefix("P") { return try push(id, jpush) }
        return try rest(id, jpush)
    }

    private static func device(_ id: String, _ jpush: JPush) throws(PushError) -> MadeCall? {
        switch id {
        case "D1": return MadeCall(jpush.readDevice(device))
        case "D2":
            let update = DeviceUpdate(
                tags: .add(["vip", "城市_上海"]), removing: ["trial"], alias: .set("user_4711"), phone: .set("13800000000")
            )
            return MadeCall(try jpush.updateDevice(update, of: device))
        case "D3": return MadeCall(try jpush.readAliasDevices(of: "user_4711", on: [.ios, .android]))
        case "D4": return MadeCall(try jpush.deleteAlias("user_4711", on: [.ios]))
        case "D5": return MadeCall(try jpush.removeAlias("user_4711", from: [device]))
        case "D6": return MadeCall(jpush.listTags())
        case "D7": return MadeCall(try jpush.testTag("vip", of: device))
        case "D8": return MadeCall(try jpush.updateTag("城市", addTo: [device], removeFrom: [other]))
        case "D9": return MadeCall(try jpush.deleteTag("vip"))
        case "D10": return MadeCall(jpush.readStatus(of: [device, other]))
        case "D11": return MadeCall(try jpush.addTestDevice(device, named: "desk"))
        case "D12": return MadeCall(try jpush.updateTestDevice(device, named: "shelf"))
        case "D13": return MadeCall(jpush.removeTestDevice(device))
        case "D14": return MadeCall(try jpush.listTestDevices(.name("de"), page: 2, pageSize: 50))
        default: return nil
        }
    }

    private static func push(_ id: String, _ jpush: JPush) throws(PushError) -> MadeCall? {
        let (one, two) = (key("6a0d6f0a-6a5f-4d0f-9a2f-0f5c2b3d4e5f"), key("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"))
        switch id {
        case "P1":
            var message = Message(
                notification: Notification(
                    title: "Shop", body: "Order shipped", extras: ["order": "77"],
                    ios: IOSNotification(
                        sound: "default", badge: .change(by: 1), isMutable: true, collapseID: "order-77")),
                platforms: [.ios, .android], timeToLive: .seconds(3600))
            var options = JPushOptions()
            options.sendNumber = 4711
            try message.set(options)
            return MadeCall(
                try jpush.send(message, to: .aliases(["user_4711"]), in: SendContext(at: .distantPast, key: one)))
        case "P2": return MadeCall(try jpush.validate(Sample.text("Hello"), to: .everyone))
        case "P3": return MadeCall(jpush.mintKeys(2, for: .send))
        case "P4":
            return MadeCall(
                try jpush.sendBatch([
                    JPushBatchItem(key: one, target: .device(device), message: Sample.text("one")),
                    JPushBatchItem(key: two, target: .device(other), message: Sample.text("two")),
                ]))
        case "P5":
            return MadeCall(
                try jpush.sendBatch([JPushBatchItem(key: one, target: .alias("user_4711"), message: Sample.text("one"))]
                ))
        case "P6": return MadeCall(try jpush.recall(message))
        case "P7": return MadeCall(jpush.readVendorQuota())
        case "P8": return MadeCall(try jpush.send(Sample.text("Hello"), to: .file("f1")))
        case "P9":
            return MadeCall(
                try jpush.sendTemplate(
                    "tpl",
                    [
                        JPushTemplateParameters(audience: .devices([device]), texts: ["name": "Ann"], trace: "t1"),
                        JPushTemplateParameters(audience: .devices([other]), texts: ["name": "Bob"]),
                    ]))
        case "P10":
            // 09:30 in China.
            let moment = Date(timeIntervalSince1970: 1_796_088_600)
            return MadeCall(
                try jpush.scheduleTemplate(
                    "tpl", named: "digest", .once(moment), [JPushTemplateParameters(audience: .everyone, trace: "t1")]))
        case "P11 create": return MadeCall(try jpush.createPlan("winter", description: "sale"))
        case "P11 update": return MadeCall(try jpush.updatePlan("winter", description: "sale, again"))
        case "P11 list": return MadeCall(try jpush.listPlans(containing: "win"))
        case "P12": return MadeCall(try jpush.sendToGroup(Sample.text("Hello"), to: .tagged(anyOf: ["vip"])))
        case "P13": return MadeCall(try jpush.sendToGroup(Sample.text("Hello"), to: .file("f1")))
        case "P14 byurls":
            return MadeCall(try jpush.registerImage(.big, at: ["image_url": "https://shop.invalid/a.png"]))
        case "P14 byurls replaced":
            return MadeCall(
                try jpush.registerImage(
                    .big, at: ["image_url": "https://shop.invalid/b.png"], replacing: "jgmedia-1-b0"))
        case "P14 byfiles": return MadeCall(try jpush.uploadImage(.largeIcon, from: ["image_file": "a.png"]))
        default: return nil
        }
    }

    private static func rest(_ id: String, _ jpush: JPush) throws(PushError) -> MadeCall? {
        switch id {
        case "F1 alias": return MadeCall(try jpush.uploadFile("ids.txt", listing: .alias))
        case "F1 registration_id": return MadeCall(try jpush.uploadFile("ids.txt", listing: .device))
        case "F2": return MadeCall(jpush.listFiles())
        case "F3": return MadeCall(jpush.readFile("f1"))
        case "F4": return MadeCall(jpush.removeFile("f1"))
        case "S1":
            // From 1 December 2026 to 1 March 2027, midnight in China.
            let weekly = Recurrence(
                from: Date(timeIntervalSince1970: 1_796_054_400), to: Date(timeIntervalSince1970: 1_803_830_400),
                at: TimeOfDay(hour: 9, minute: 30), .weekly([.monday, .thursday]))
            let plan = Schedule(
                name: "weekly_digest", trigger: .recurring(weekly), message: Sample.text("This week"),
                audience: .tagged(anyOf: ["digest"]))
            return MadeCall(
                try jpush.createSchedule(plan, key: key("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", .schedule)))
        case "S2": return MadeCall(try jpush.listSchedules(page: 1))
        case "S3": return MadeCall(try jpush.readSchedule(schedule))
        case "S4": return MadeCall(jpush.readScheduledMessages(of: schedule))
        case "S5":
            var update = JPushScheduleUpdate()
            update.isEnabled = false
            return MadeCall(try jpush.updateSchedule(schedule, update))
        case "S6": return MadeCall(jpush.removeSchedule(schedule))
        case "R1": return MadeCall(try jpush.readDeliveries(of: [message]))
        case "R2": return MadeCall(try jpush.readReceived(of: [message]))
        case "R3": return MadeCall(try jpush.readReceipts(of: message, on: [device, other], sent: "2026-11-20"))
        case "R4": return MadeCall(try jpush.readStatistics(of: [message]))
        case "R5": return MadeCall(try jpush.readOldStatistics(of: [message]))
        case "R6": return MadeCall(try jpush.readUsers(by: .day, from: "2026-11-01", count: 2))
        case "R7": return MadeCall(jpush.readGroupStatistics(of: ["gp-5f2c1e7b9a"]))
        case "R8": return MadeCall(try jpush.readGroupUsers(by: .month, from: "2026-10", count: 1))
        default: return nil
        }
    }

    /// Texts that the reading must contain, for responses that carry values.
    private static let expected: [String: [String]] = [
        "D1": ["vip", "城市_上海", "alias: Optional(…)", "mobile: Optional(…)"], "D3": ["2026-11-19"], "D6": ["gold"],
        "D7": ["true"],
        "D10": ["isOnline: true", "2026-11-19 08:02:11"], "D14": ["desk", "number: 2", "count: Optional(2)"],
        "P1": ["18103084512345678"], "P4": ["18103084512345680", "18103084512345681", "noTarget"],
        "P5": ["invalidArgument"], "P7": ["xiaomi", "oppo", "used: 17"],
        "P9": ["18103084512345678", "t1", "noTarget"], "P10": ["0f8fad5b", "t1"],
        "P11 list": ["winter", "Optional(3)"],
        "P12": ["gp-5f2c1e7b9a", "18103084512345682", "noTarget"], "P13": ["18103084512345682"],
        "P14 byurls": ["jgmedia-1-b0", "xiaomi_image_url"], "F1 alias": ["f1"], "F2": ["ids.txt"], "F3": ["f1"],
        "S1": ["0f8fad5b"], "S2": ["weekly_digest", "thursday"], "S3": ["weekly_digest", "hour: 9", "monday"],
        "S4": ["18103084512345001", "18103084512345002", "18103084512345003", "Optional(1011)"],
        "S5": ["isEnabled: false"], "R1": ["received: Optional(62)"], "R2": ["android_received"],
        "R3": ["received", "noTarget"], "R4": ["sent: Optional(75)", "jg_android"], "R5": ["received"],
        "R6": ["2026-11-02", "online: Optional(9)"], "R7": ["gp-5f2c1e7b9a", "Optional(7)"], "R8": ["2026-10"],
    ]
}
