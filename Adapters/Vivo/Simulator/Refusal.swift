import PushAdapter
import PushSimulation

/// The vendor's errors. It answers nearly all of them with 200 and tells them by `result`.
typealias Refusal = VendorRefusal

extension Refusal {
    static let unknownPath = Refusal(404, 0, "")
    /// The body is no JSON object, or has a field of a wrong type that has no code. The status is assumed.
    static let broken = Refusal(400, 0, "")
    static let token = Refusal(200, 10_000, "权限认证失败")
    static let closed = Refusal(200, 10_043, "推送开关已关闭")
    static let inReview = Refusal(200, 10_045, "应用未审核通过")
    static let noTarget = Refusal(200, 10_050, "regId与alias不能都为空")
    static let operationalUsed = Refusal(200, 10_070, "运营消息发送总量超限")
    static let night = Refusal(200, 10_071, "运营消息发送时间受限")
    static let rate = Refusal(200, 10_072, "发送速度过快")
    static let systemUsed = Refusal(200, 10_073, "系统消息发送总量超限")
    static let badge = Refusal(200, 10_089, "没有角标权限")
    static let tooManyTokens = Refusal(200, 10_093, "鉴权过于频繁")
    static let foreignApp = Refusal(200, 10_094, "appId与authToken不匹配")
    static let unknownCategory = Refusal(200, 10_096, "category不合法")
    static let category = Refusal(200, 10_097, "category与classification不匹配")
    static let testText = Refusal(200, 10_104, "消息内容不合规")
    static let noTargets = Refusal(200, 10_150, "regIds与aliases不能都为空")
    static let unknownTask = Refusal(200, 10_152, "taskId不合法")
    static let tooFewTargets = Refusal(200, 10_153, "目标不能少于2个")
    static let tooManyTargets = Refusal(200, 10_154, "目标不能超过1000个")
    static let expiredTask = Refusal(200, 10_155, "消息体不存在或已过期")
    static let listsUsed = Refusal(200, 10_252, "消息体存储数量超限")
    static let broadcastsUsed = Refusal(200, 10_254, "全量发送次数超限")
    static let alias = Refusal(200, 10_301, "alias过长")
    static let notNow = Refusal(200, 10_311, "设备暂时无法推送")
    static let tag = Refusal(200, 10_601, "标签参数不合法")

    /// A field with this code is wrong.
    static func field(_ code: Int, _ name: String) -> Refusal { Refusal(200, code, "\(name)不合法") }

    /// The target of a single send, and why it is refused.
    static func target(_ name: String, _ status: TargetStatus) -> Refusal {
        Refusal(200, 10_302, "regId不合法", fields: ["invalidUser": status.row(name)])
    }

    var response: SimulatedResponse {
        guard code != 0 else { return SimulatedResponse(status: status) }
        let body: [String: JSONValue] = ["result": JSONValue(code), "desc": .string(text)]
        return .json(.object(body.merging(fields) { $1 }), status: status)
    }
}

/// Why a target gets nothing.
enum TargetStatus: Int {
    case unknown = 1
    /// The app was removed, or its notifications are off.
    case off = 2
    case inactive = 3
    case noTestDevice = 4

    func row(_ name: String) -> JSONValue { ["status": JSONValue(rawValue), "userid": .string(name)] }
}

extension SimulatedResponse {
    /// The response to a call that the vendor accepted.
    static func accepted(_ fields: [String: JSONValue] = [:]) -> SimulatedResponse {
        .json(.object(["result": 0, "desc": "请求成功"].merging(fields) { $1 }))
    }
}
