import FoundationEssentials

extension Maker {
    /// Refusals with these codes.
    private static func refusals(_ codes: [Int], _ answer: (Int) -> String) -> [Refusal] {
        codes.map { Refusal(status: 200, body: answer($0)) }
    }

    private static func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ",") }

    // MARK: Xiaomi

    /// An error has an id that looks like a message's.
    private static func xiaomiBody(_ code: Int, _ text: String = "refused", _ fields: String = "") -> String {
        let (result, name) = code == 0 ? ("ok", "description") : ("error", "reason")
        return #"{"result":"\#(result)","trace_id":"Xdm7","code":\#(code),"\#(name)":"\#(text)"\#(fields)}"#
    }

    static let xiaomi = Maker(
        answer: xiaomiBody,
        sent: { id, _, unknown in
            let list = unknown.isEmpty ? "" : #","bad_regids":"\#(unknown.joined(separator: ","))""#
            return xiaomiBody(0, "成功", #","data":{"id":"Xcm\#(id)","day_quota":"30000","day_acked":"0"\#(list)}"#)
        },
        tags: #","data":{"list":["a"]}"#, refusals: refusals([20301, 27001, 10017]) { xiaomiBody($0) },
        throttles: [10027, 200_002], usedUp: [200_001],
        // Failures of the system, a review by a person, a code without an explanation, and a code of no table.
        failures: [-1, 1, 10001, 10002, 10003, 20607, 26003, 26006, 65029, 66006, 70000],
        // Hints for the vendor's SDKs. Other clients must ignore them.
        headers: [
            ("x-push-host-list", "127.0.0.1:1"), ("x-push-client-timeout-ms", "1"),
            ("x-push-disable-auto-select-domain", "false"),
        ])

    // MARK: vivo

    private static func vivoBody(_ code: Int, _ text: String = "refused", _ fields: String = "") -> String {
        #"{"result":\#(code),"desc":"\#(text)"\#(fields)}"#
    }

    /// Those with a status 2 to 4 are of living devices, as is 10311.
    private static let vivoTargets: [Refusal] =
        [
            ("", true), (#","invalidUser":{"status":1,"userid":"1"}"#, true),
            (#","invalidUser":[{"userid":"1"}]"#, true),
            (#","invalidUser":{"status":2,"userid":"1"}"#, false),
            (#","invalidUser":{"status":"3","userid":1}"#, false),
            (#","invalidUsers":[{"status":4,"userid":"1"}]"#, false),
        ].map { Refusal(status: 200, body: vivoBody(10302, "refused", $0), isDead: $1) }
        + refusals([10311]) { vivoBody($0) }

    static let vivo = Maker(
        answer: vivoBody,
        sent: { id, _, _ in vivoBody(0, "请求成功", #","taskId":"\#(id)""#) },
        token: { vivoBody(0, "请求成功", #","authToken":"\#($0.text)""#) },
        refusals: refusals([10096, 10103, 10104, 10601, 11000]) { vivoBody($0) }, targets: vivoTargets,
        credentials: refusals([10200, 10206, 10207]) { vivoBody($0) }, endedTokens: refusals([10000]) { vivoBody($0) },
        throttles: [10072, 10093], usedUp: [10070, 10071, 10073, 10252, 10254], failures: [10040, 70000])

    // MARK: OPPO

    private static func oppoBody(_ code: Int, _ text: String = "refused", _ fields: String = "") -> String {
        #"{"code":\#(code),"message":"\#(text)"\#(fields)}"#
    }

    /// An unsubscribed device, and an id that is wrong, which says nothing of an id with a form of another vendor.
    private static let oppoTargets = [
        Refusal(status: 200, body: oppoBody(10001), isDead: true), Refusal(status: 200, body: oppoBody(10000)),
    ]

    /// Rows have two spellings. One that failed names a message too.
    private static func row(_ id: String, _ device: String, _ code: Int?) -> String {
        let failure = code.map { #","errorCode":\#($0),"errorMessage":"refused""# } ?? ""
        return id.hasSuffix("7")
            ? #"{"message_id":"\#(id)","registration_id":"\#(device)"\#(failure)}"#
            : #"{"messageId":"\#(id)","registrationId":"\#(device)"\#(failure)}"#
    }

    static let oppo = Maker(
        answer: oppoBody,
        sent: { id, devices, unknown in
            guard devices.count > 1 else {
                return unknown.isEmpty ? oppoBody(0, "success", #","data":{"messageId":"\#(id)"}"#) : oppoBody(10001)
            }
            let rows = devices.map { row(id, $0, unknown.contains($0) ? 10001 : nil) }
            return oppoBody(0, "success", #","data":[\#(rows.joined(separator: ","))]"#)
        },
        rows: { code, devices in
            let rows = devices.map { row("8", $0, code) }
            return oppoBody(0, "success", #","data":[\#(rows.joined(separator: ","))]"#)
        },
        token: { token in
            let made = Int(Date().timeIntervalSince1970) - (token.life < 60 ? 86_400 - token.life : 0)
            return oppoBody(0, "success", #","data":{"auth_token":"\#(token.text)","create_time":\#(made * 1000)}"#)
        },
        refusals: refusals([27, 30, 41, 67]) { oppoBody($0) }, targets: oppoTargets,
        credentials: refusals([14, 16, 19]) { oppoBody($0) }, endedTokens: refusals([11, 29]) { oppoBody($0) },
        throttles: [-2, 13, 55, 69], usedUp: [33, 34, 42], failures: [-1, 32, 99])

    // MARK: Honor

    private static func honorBody(_ code: Int, _ text: String = "refused", _ fields: String = "") -> String {
        #"{"code":\#(code),"message":"\#(text)"\#(fields)}"#
    }

    private static let honorTokens =
        [401, 403].flatMap { [Refusal(status: $0, body: honorBody($0)), Refusal(status: $0, body: "")] }
        + refusals([80_200_003]) { honorBody($0) }

    /// The vendor calls unknown tokens expired. 80300007 refuses all tokens of a send, and 80200047 is about tests.
    static let honor = Maker(
        answer: honorBody,
        sent: { id, _, unknown in
            let tokens = #""failTokens":[],"expireTokens":[\#(list(unknown))]"#
            return honorBody(200, "success", #","data":{"sendResult":true,"requestId":"\#(id)",\#(tokens)}"#)
        },
        success: 200, refusals: refusals([10205, 80_200_022, 80_200_047, 80_300_007, 80_300_008]) { honorBody($0) },
        credentials: [Refusal(status: 401, body: #"{"error":"invalid_client","error_description":"refused"}"#)],
        endedTokens: honorTokens, throttles: [503], failures: [500, 502, 70000])
}
