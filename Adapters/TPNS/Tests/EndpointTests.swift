import Foundation
import PushAdapter
import PushTPNS
import TestSupport
import Testing

/// Every call of the vendor's documents: the adapter's request, and its reading of the documented response.
@Suite("TPNS endpoints")
struct EndpointTests {
    static let all = DocumentedCall.all()

    @Test("the request is the documented one, and the documented answer is read", arguments: all)
    func endpoint(call: DocumentedCall) throws {
        let made = try #require(try Self.make(call.id), "\(call.id) has no exchange")
        let (tpns, request) = (try Sample.tpns(), made.exchange.request)
        let url = try tpns.dataCenter.address(of: request.service) + request.target()
        #expect(url == "https://api.tpns.tencent.com" + call.url)
        try call.check(made, of: tpns, reading: Self.expected[call.id, default: []])
    }

    @Test("there is a row for every path, operator and command of the documents")
    func complete() {
        let paths: Set<String> = [
            "push/app", "push/package/upload", "push/plan/add_plan_push", "push/stop_push_msg", "push/revoke_push_msg",
            "push/cancel_timing_task", "device/tag", "device/tag/delete_all_device", "device/account/batchoperate",
            "device/account/query", "device/set_custom_attribute", "statistics/get_push_record",
            "statistics/get_push_task_stat_channel", "statistics/get_push_group_stat_channel",
            "statistics/get_push_channel_stat_overview", "statistics/get_device_stat_overview",
            "statistics/get_device_distribute_info", "toolbox/getPushListByToken",
        ]
        #expect(Set(Self.all.map { String($0.url.dropFirst("/v3/".count)) }) == paths)
        func numbers(_ key: String, _ path: String) -> Set<Int> {
            Set(Self.all.filter { $0.url == "/v3/" + path }.compactMap { $0.request?[key]?.intValue })
        }
        #expect(numbers("operator_type", "device/tag") == Set(1...10))
        #expect(numbers("operator_type", "device/account/batchoperate") == Set(2...5))
        #expect(numbers("operator_type", "device/account/query") == [1, 2])
        #expect(numbers("cmd", "device/set_custom_attribute") == Set(1...5))
        let audiences = Set(Self.all.compactMap { $0.request?["audience_type"]?.stringValue })
        #expect(
            audiences == [
                "all", "tag", "token", "token_list", "account", "account_list", "package_account_push",
                "package_token_push",
            ])
    }

    @Test("what acts anew when it is repeated is not repeatable, and broad pushes and statistics are metered")
    func meters() throws {
        let unkeyed: Set<String> = ["upload", "plan", "recall"]
        for endpoint in Self.all {
            let made = try #require(try Self.make(endpoint.id))
            let isUnkeyed = endpoint.url == "/v3/push/app" || unkeyed.contains(endpoint.id)
            #expect(made.exchange.idempotency == (isUnkeyed ? .unkeyed : .idempotent), "\(endpoint.id)")
            let isBroad = ["all", "tag", "package_account_push", "package_token_push"].contains(
                endpoint.request?["audience_type"]?.stringValue)
            let isStatistics = endpoint.url.contains("statistics") || endpoint.url.contains("toolbox")
            let bucket: QuotaBucket? =
                isBroad ? "broadcast" : isStatistics ? "statistics" : endpoint.id == "plan" ? "plans" : nil
            if let bucket { #expect(made.exchange.charges == [QuotaCharge(bucket)], "\(endpoint.id)") }
            if endpoint.url == "/v3/push/app", !isBroad { #expect(made.exchange.charges.isEmpty, "\(endpoint.id)") }
        }
    }

    // MARK: Expected texts

    private static let expected: [String: [String]] = [
        "account 2 batch": ["accepted", "invalid"], "account 3 batch": ["invalid"],
        "query 1": ["…aabb", "…babb"], "query 1 batch": ["u-1001"], "attribute 1": ["ghost"],
        "attribute 5": ["nickname", "Ann", "tier"], "push all": ["1979000000000000001"],
        "push tags": ["1979000000000000001"], "push list": ["bad"],
        "push loop": ["1979000000000000001", "1979000000000000002"], "upload": ["11231", "devices"],
        "plan": ["500123", "recall campaign"], "record": ["130248", "PUSH_FINISHED", "77"],
        "records": ["PUSH_WAIT", "number: 2", "3"], "deliveries": ["received", "7"], "statistics": ["planned", "10"],
        "days": ["20261101"], "device counts": ["1000"], "distribution": ["1.2.4", "60"],
        "device pushes": ["1979000000000000001", "TAG_PUSH"],
    ]

    // MARK: Calls

    private static let (device, other) = (Sample.device, Sample.other)
    private static let push: MessageID = "1979000000000000001"
    private static let accounts: Set<Account> = [
        Account(name: "u-1001", type: 0), Account(name: "+8613800000000", type: 1002),
    ]

    static func make(_ id: String) throws(PushError) -> MadeCall? {
        let tpns = try Sample.tpns()
        if id.hasPrefix("tag") { return try tags(id, tpns) }
        if id.hasPrefix("account") || id.hasPrefix("query") { return try accounts(id, tpns) }
        if id.hasPrefix("push") { return try pushes(id, tpns) }
        return try rest(id, tpns)
    }

    private static func tags(_ id: String, _ tpns: TPNS) throws(PushError) -> MadeCall? {
        let pairs = [TPNSTagPair("beta", device), TPNSTagPair("plan:gold", other)]
        switch id {
        case "tag 1": return MadeCall(dumping: try tpns.addTags(["vip"], to: device))
        case "tag 2": return MadeCall(dumping: try tpns.removeTags(["vip"], from: device))
        case "tag 3": return MadeCall(dumping: try tpns.addTags(["level:3", "beta"], to: device))
        case "tag 4": return MadeCall(dumping: try tpns.removeTags(["level:3", "beta"], from: device))
        case "tag 5": return MadeCall(dumping: try tpns.clearTags(of: device))
        case "tag 6": return MadeCall(dumping: try tpns.replaceTags(with: ["plan:gold", "beta"], of: device))
        case "tag 7": return MadeCall(dumping: try tpns.changeMembers(of: "vip", .add([device, other])))
        case "tag 8": return MadeCall(dumping: try tpns.changeMembers(of: "vip", .remove([device, other])))
        case "tag 9": return MadeCall(dumping: try tpns.addTags(pairs))
        case "tag 10": return MadeCall(dumping: try tpns.removeTags(pairs))
        default: return MadeCall(dumping: try tpns.deleteTags(["old:tag", "beta"]))
        }
    }

    private static func accounts(_ id: String, _ tpns: TPNS) throws(PushError) -> MadeCall? {
        switch id {
        case "account 2": return MadeCall(dumping: try tpns.bindAccounts(accounts, to: device))
        case "account 2 batch":
            return MadeCall(
                dumping: try tpns.bindAccounts([
                    TPNSBinding(device, accounts), TPNSBinding(other, [Account(name: "u-1002", type: 0)]),
                ]))
        case "account 3": return MadeCall(dumping: try tpns.unbindAccounts(accounts, from: device))
        case "account 3 batch": return MadeCall(dumping: try tpns.unbindAccounts([TPNSBinding(device, accounts)]))
        case "account 4": return MadeCall(dumping: try tpns.clearAccounts(of: device))
        case "account 4 batch": return MadeCall(dumping: try tpns.clearAccounts(of: [device, other]))
        case "account 5":
            return MadeCall(
                dumping: try tpns.deleteAccounts([
                    Account(name: "u-1001", type: 0), Account(name: "u-1002", type: 9),
                ]))
        case "query 1": return MadeCall(dumping: try tpns.readDevices(of: Account(name: "u-1001")))
        case "query 1 batch":
            return MadeCall(dumping: try tpns.readDevices(of: [Account(name: "u-1001"), Account(name: "nobody")]))
        case "query 2": return MadeCall(dumping: try tpns.readAccounts(of: device))
        default: return MadeCall(dumping: try tpns.readAccounts(of: [device, other]))
        }
    }

    private static func pushes(_ id: String, _ tpns: TPNS) throws(PushError) -> MadeCall? {
        var message = Sample.message
        var options = TPNSOptions()
        func made(to audience: Audience, _ tpns: TPNS) throws(PushError) -> MadeCall {
            MadeCall(dumping: try tpns.send(message, to: audience))
        }
        switch id {
        case "push all": return try made(to: .everyone, tpns)
        case "push rules":
            options.tagRules = [
                TPNSTagRule([
                    TPNSTagItem(.province, ["guangdong", "hunan"], joinedBy: .or),
                    TPNSTagItem(.activeDay, ["20261119"]), TPNSTagItem(.custom, ["churn"], isNegated: true),
                ])
            ]
            message.notification?.body = "We miss you"
            message.notification?.ios = IOSNotification(subtitle: "today", sound: "default", badge: .change(by: 1))
            try message.set(options)
            return try made(to: .everyone, tpns)
        case "push tags": return try made(to: .tagged(anyOf: ["b", "a"], allOf: ["d", "c"], noneOf: ["e"]), tpns)
        case "push token":
            message = Message(
                notification: Notification(
                    title: "Test", body: "你好",
                    ios: IOSNotification(subtitle: "hi", sound: "default", badge: .change(by: 1), isMutable: true)),
                timeToLive: .seconds(3600), environment: .development)
            return try made(to: .devices([device]), tpns)
        case "push list":
            message = Message(
                notification: Notification(
                    title: "Order", body: "Shipped", extras: ["order": 42],
                    ios: IOSNotification(
                        subtitle: "#42", sound: "default", badge: .set(0), category: "ORDER", threadID: "orders",
                        isMutable: true, interruptionLevel: .timeSensitive)), environment: .development)
            return try made(to: .devices([device, "bad"]), tpns)
        case "push silent":
            message = Message(custom: CustomMessage(content: "sync", extras: ["deep": true]))
            options.accountPushType = 1
            try message.set(options)
            return try made(to: .accounts([Account(name: "u-1001", type: 0)]), tpns)
        case "push accounts":
            let accounts = ["+8613800000000", "+8613900000000"].map { TPNS.account(phone: PhoneNumber($0)) }
            return try made(to: .accounts(accounts), tpns)
        case "push package accounts": return try made(to: TPNSPackage(11231, of: .accounts(type: 1002)).audience, tpns)
        case "push package tokens": return try made(to: TPNSPackage(11232, of: .devices).audience, tpns)
        case "push android":
            message.notification?.extras = ["order": 42]
            message.notification?.android = AndroidNotification(
                channelID: "orders", sound: "bell", tap: .intentURI("app://home"), badge: .change(by: 1))
            options.ignoreInvalidToken = 0
            options.android = ["hw_importance": 1]
            try message.set(options)
            return try made(to: .devices([device]), try Sample.tpns(.android))
        case "push android data":
            message = Message(custom: CustomMessage(content: "data", title: "T", extras: ["k": "v"]))
            return try made(to: .everyone, try Sample.tpns(.android))
        case "push loop":
            options.loop = TPNSLoop(from: "2026-12-01", to: "2026-12-31", .weekly, on: [0, 6], at: ["09:30:00"])
            try message.set(options)
            return try made(to: .everyone, tpns)
        default:
            message.notification?.title = "Hi {{nickname}}"
            try message.set(everyOption)
            return try made(to: .everyone, tpns)
        }
    }

    private static var everyOption: TPNSOptions {
        var options = TPNSOptions()
        options.sendTime = "2026-12-01 09:30:00"
        options.pushSpeed = 2000
        options.planID = "p1"
        options.sequence = 7
        options.collapseID = 4711
        options.forcesCollapse = true
        options.channelRules = [TPNSChannelRule("apns")]
        options.onlinePushType = 1
        options.usesAttributes = true
        options.suppliesInAppMessage = true
        options.resendsBySMS = true
        options.smsInfo = ["sms_app_id": "1"]
        options.isMultiPackage = true
        options.showType = 1
        options.defaultContent = "All"
        options.defaultTitle = "Hi"
        options.defaultSubtitle = "S"
        options.mediaResources = "https://example.com/a.png"
        options.audioResources = "https://example.com/a.mp3"
        options.threadSummary = "sum"
        options.acceptTime = [TPNSAcceptTime(from: .init(hour: 9, minute: 0), to: .init(hour: 21, minute: 30))]
        options.ios = TPNSIOS(mutableContent: 0)
        return options
    }

    private static func rest(_ id: String, _ tpns: TPNS) throws(PushError) -> MadeCall? {
        switch id {
        case "attribute 1":
            return MadeCall(
                dumping: try tpns.setAttributes(["nickname": "Ann", "tier": "3", "ghost": "x"], of: device))
        case "attribute 2":
            let updating = try Sample.tpns { $0.attributeCommand = .update }
            return MadeCall(dumping: try updating.setAttributes(["tier": "4"], of: device))
        case "attribute 3": return MadeCall(dumping: try tpns.removeAttributes(["tier"], from: device))
        case "attribute 4": return MadeCall(dumping: try tpns.clearAttributes(of: device))
        case "attribute 5": return MadeCall(dumping: try tpns.readAttributes(of: device))
        case "upload": return MadeCall(dumping: try tpns.upload("/tmp/list.txt", of: .devices))
        case "plan": return MadeCall(dumping: try tpns.createPlan("Autumn", describing: "recall campaign"))
        case "stop": return MadeCall(dumping: try Sample.tpns(.android).stop(push))
        case "cancel": return MadeCall(dumping: try tpns.cancel(push))
        case "recall": return MadeCall(dumping: try Sample.tpns { $0.allowsRecall = true }.recall(push))
        case "record": return MadeCall(dumping: try tpns.readPush("130248"))
        case "records":
            var filter = TPNSPushFilter()
            filter.messageType = "notify"
            filter.pushType = "all"
            filter.offset = 200
            return MadeCall(dumping: try tpns.readPushes(from: "2026-11-01", to: "2026-11-20", filter))
        case "deliveries": return MadeCall(dumping: try tpns.readDeliveries(of: ["130248"]))
        case "statistics": return MadeCall(dumping: try tpns.readStatistics(of: "130248"))
        case "plan statistics":
            return MadeCall(dumping: try tpns.readStatistics(ofPlan: "500123", from: "20261114", to: "20261120"))
        case "days": return MadeCall(dumping: try tpns.readDays(from: "20261101", to: "20261120"))
        case "device counts": return MadeCall(dumping: try tpns.readDeviceCounts(from: "20261101", to: "20261120"))
        case "distribution": return MadeCall(dumping: try tpns.readDistribution(by: .appVersion, on: "20261120"))
        case "device pushes": return MadeCall(dumping: try tpns.readPushes(to: device))
        default: return MadeCall(dumping: try tpns.probe())
        }
    }
}
