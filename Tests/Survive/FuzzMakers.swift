import FoundationEssentials
import PushAdapter
import PushHonor
import PushOPPO
import PushVivo
import PushXiaomi

extension Fuzz {
    private static let secret = Secret("51c3e7cret51c3e7cret0000")
    private static let message = Message(
        notification: Notification(title: "t", body: "b"), messageClass: MessageClass(.service, .subscription))
    private static let units = [1, 2, 3].map(Unit.make)
    private static let devices = units.prefix(2).map { DeviceID($0) }

    /// Responses of phone makers, and their receipts.
    static var makers: [Reader] {
        [xiaomi, vivo, oppo, honor].flatMap { $0.compactMap { $0 } } + makerReceipts
    }

    private static var xiaomi: [Reader?] {
        guard let xiaomi = try? Xiaomi(packageName: "com.example.survive", appSecret: secret) else { return [] }
        let (sent, part) = (Maker.xiaomi.sent("1", [], []), Maker.xiaomi.sent("1", [], [units[0], units[2]]))
        func answer(_ code: Int, _ fields: String = "") -> String { Maker.xiaomi.answer(code, units[0], fields) }
        return [
            reader(
                "xiaomi send", xiaomi, try? xiaomi.send(message, to: .devices(devices)), sent, part, answer(20301),
                answer(200_001), answer(10001), #"{"code":"0","data":{"id":7,"bad_regids":[]}}"#),
            reader(
                "xiaomi send to one", xiaomi, try? xiaomi.send(message, to: .devices([devices[0]])), sent, part,
                answer(20301), answer(66007)),
            reader(
                "xiaomi tags", xiaomi, try? xiaomi.readTags(of: devices[0]),
                answer(0, #","data":{"list":["a","b"]}"#), answer(65003)),
            reader(
                "xiaomi accounts", xiaomi, try? xiaomi.readAccounts(of: devices[0]),
                answer(0, #","data":{"list":["\#(units[0])"]}"#)),
            reader("xiaomi write", xiaomi, try? xiaomi.roles.tags.add?(["a"], devices[0]), answer(0), part),
            reader("xiaomi members", xiaomi, try? xiaomi.changeMembers(of: "a", .add(devices)), answer(0), part),
        ]
    }

    private static var vivo: [Reader?] {
        guard let vivo = try? Vivo(appID: 10_004, appKey: "k", appSecret: secret) else { return [] }
        func answer(_ code: Int, _ fields: String = "") -> String { Maker.vivo.answer(code, units[0], fields) }
        let invalid = #","invalidUsers":[{"status":1,"userid":"\#(units[0])"},{"status":"2","userid":7}]"#
        return [
            reader(
                "vivo send", vivo, try? vivo.send(message, to: .devices([devices[0]])), Maker.vivo.sent("1", [], []),
                answer(10302, #","invalidUser":{"status":2,"userid":"\#(units[0])"}"#), answer(10073), answer(10071),
                #"{"result":"0","taskId":7}"#),
            reader("vivo write", vivo, try? vivo.roles.tags.add?(["a"], devices[0]), answer(0), answer(0, invalid)),
            reader("vivo members", vivo, try? vivo.changeMembers(of: "a", .add(devices)), answer(0, invalid)),
            reader("vivo probe", vivo, try? vivo.probe(), answer(0), answer(10152)),
        ]
    }

    private static var oppo: [Reader?] {
        guard let oppo = try? OPPO(appKey: "k", masterSecret: secret) else { return [] }
        let (one, all) = ([units[0]], Array(units.prefix(2)))
        func answer(_ code: Int) -> String { Maker.oppo.answer(code, units[0], "") }
        return [
            reader(
                "oppo send", oppo, try? oppo.send(message, to: .devices(devices)), Maker.oppo.sent("1", all, []),
                Maker.oppo.sent("7", all, one), Maker.oppo.sent("1", all, all), answer(33), answer(10000),
                #"{"code":"0","data":[{"messageId":1,"errorCode":"13"},{"errorCode":32}]}"#),
            reader(
                "oppo send to one", oppo, try? oppo.send(message, to: .devices([devices[0]])),
                Maker.oppo.sent("1", one, []), answer(10001), answer(32)),
            reader("oppo write", oppo, try? oppo.roles.tags.add?(["a"], devices[0]), answer(0), answer(31)),
            reader("oppo alias", oppo, try? oppo.setAlias("a", of: devices[0]), answer(0), answer(41)),
        ]
    }

    private static var honor: [Reader?] {
        guard let honor = try? Honor(appID: "104200001", clientID: "1042", clientSecret: secret) else { return [] }
        func answer(_ code: Int, _ fields: String = "") -> String { Maker.honor.answer(code, units[0], fields) }
        return [
            reader(
                "honor send", honor, try? honor.send(message, to: .devices(devices)), Maker.honor.sent("1", [], []),
                Maker.honor.sent("1", [], [units[0], units[2]]), answer(80_300_007), answer(503), answer(401),
                answer(200, #","data":{"sendResult":"false","requestId":7,"failTokens":["\#(units[0])"]}"#))
        ]
    }
}
