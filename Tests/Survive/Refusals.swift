import PushAdapter
import PushCrypto

/// A response that means that nothing was done.
struct Refusal {
    let status: Int
    let body: String
    /// Whether it reports the target as gone.
    var isDead = false
}

extension HostileVendor {
    /// A refusal that clearly means that nothing was done.
    func refusal(of call: Call = .send) -> Refusal {
        if let maker = kind.maker { return refusal(by: maker, of: call) }
        return switch kind {
        case .jpush: Refusal(status: 400, body: "{\"error\":{\"code\":1003,\"message\":\"refused\"}}")
        case .engagelab: Refusal(status: 400, body: "{\"error\":{\"code\":21003,\"message\":\"refused\"}}")
        case .tpns: Refusal(status: 200, body: "{\"ret_code\":1008001,\"err_msg\":\"refused\"}")
        case .fcm:
            switch call {
            case .token:
                Refusal(
                    status: 400,
                    body: "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid JWT Signature.\"}")
            case .send: dice.happens(90) ? dice.pick(Self.fcmTargets) : dice.pick(Self.fcmCalls)
            default: Self.google(400, "INVALID_ARGUMENT")
            }
        case .apns:
            dice.happens(90)
                ? dice.pick(Self.apnsTargets)
                : Refusal(status: 413, body: "{\"reason\":\"PayloadTooLarge\"}")
        case .webpush: dice.pick(Self.webPush)
        default:
            call == .token
                ? Refusal(status: 400, body: "{\"error\":1101,\"sub_error\":20003,\"error_description\":\"refused\"}")
                : Refusal(status: 400, body: Self.huawei("80100003", "refused"))
        }
    }

    var throttle: (status: Int, body: String) {
        if let maker = kind.maker { return (200, maker.answer(throttle(by: maker), "slower", "")) }
        switch kind {
        case .jpush: return (429, "{\"error\":{\"code\":2002,\"message\":\"slower\"}}")
        case .engagelab: return (400, "{\"error\":{\"code\":23008,\"message\":\"slower\"}}")
        case .tpns: return (429, "")
        case .fcm:
            let detail = dice.pick([Self.fcmError("QUOTA_EXCEEDED"), Self.reason("RATE_LIMIT_EXCEEDED")])
            return (429, Self.google(429, "RESOURCE_EXHAUSTED", detail).body)
        case .apns: return (429, "{\"reason\":\"TooManyRequests\"}")
        case .webpush: return (429, "")
        default: return (503, "")
        }
    }

    /// A failure that does not say whether anything was done.
    var failure: (status: Int, body: String) {
        guard let maker = kind.maker, dice.happens(70) else { return (500, "") }
        return (200, maker.answer(dice.pick(maker.failures), "failed", ""))
    }

    /// A success that belongs to no request.
    var strangeSuccess: String {
        if kind == .harmony || kind == .huawei { return Self.huawei("80000000", "Success") }
        if kind == .webpush { return "{\"id\":\"stale\",\"event\":\"message\"}" }
        if let maker = kind.maker { return maker.sent("stale", [], []) }
        return
            "{\"name\":\"projects/survive/messages/7\",\"msg_id\":\"7\",\"push_id\":\"7\",\"ret_code\":0,\"cidlist\":[\"stale\"]}"
    }

    // MARK: FCM

    /// The envelope of Google's services.
    private static func google(_ status: Int, _ name: String, _ details: String..., isDead: Bool = false) -> Refusal {
        let list = details.isEmpty ? "" : ",\"details\":[\(details.joined(separator: ","))]"
        return Refusal(
            status: status,
            body: "{\"error\":{\"code\":\(status),\"message\":\"refused\",\"status\":\"\(name)\"\(list)}}",
            isDead: isDead)
    }

    private static func fcmError(_ code: String) -> String {
        "{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.FcmError\",\"errorCode\":\"\(code)\"}"
    }

    private static func reason(_ reason: String) -> String {
        "{\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"\(reason)\",\"domain\":\"googleapis.com\"}"
    }

    private static func apnsError(_ status: Int, _ reason: String) -> String {
        "{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.ApnsError\",\"statusCode\":\(status),"
            + "\"reason\":\"\(reason)\"}"
    }

    private static let badToken =
        "{\"@type\":\"type.googleapis.com/google.rpc.BadRequest\",\"fieldViolations\":[{\"field\":\"message.token\"}]}"

    /// Refusals about one target.
    private static let fcmTargets: [Refusal] = [
        google(404, "NOT_FOUND", fcmError("UNREGISTERED"), isDead: true),
        google(404, "NOT_FOUND", apnsError(410, "Unregistered"), fcmError("UNREGISTERED"), isDead: true),
        google(400, "INVALID_ARGUMENT", fcmError("INVALID_ARGUMENT"), badToken, isDead: true),
        google(
            400, "INVALID_ARGUMENT", fcmError("INVALID_ARGUMENT"), apnsError(410, "Unregistered"), isDead: true),
        google(403, "PERMISSION_DENIED", fcmError("SENDER_ID_MISMATCH")),
        google(401, "UNAUTHENTICATED", fcmError("THIRD_PARTY_AUTH_ERROR")),
    ]

    /// The repeated refusal for a target that is gone.
    var deathNotice: Refusal {
        let targets =
            switch kind {
            case .fcm: Self.fcmTargets
            case .webpush: Self.webPush
            case .vivo: Maker.vivo.targets
            default: Self.apnsTargets
            }
        return dice.pick(targets.filter(\.isDead))
    }

    /// Refusals about the call or the project.
    private static let fcmCalls: [Refusal] = [
        google(400, "INVALID_ARGUMENT", fcmError("INVALID_ARGUMENT")), google(404, "NOT_FOUND"),
        google(403, "PERMISSION_DENIED", reason("IAM_PERMISSION_DENIED")),
    ]

    /// How long a new token lives, as promised and in reality. Some end early.
    func tokenLife() -> (promised: Int, real: Duration) {
        let isCalm = facts.withLock { $0.isCalm }
        if isCalm || dice.happens(75) { return (3_599, .seconds(3_600)) }
        if dice.happens(30) { return (dice.roll(1...3), .seconds(3)) }
        return (3_599, .milliseconds(dice.roll(0...3_000)))
    }

    func issueToken(_ life: (promised: Int, real: Duration), _ facts: inout Facts) -> String {
        facts.tokenRequests += 1
        let token = "ya29.\(Findings.secrets[0])-\(facts.lastID)"
        facts.tokens[token] = .now + life.real
        return kind.maker?.token?((token, life.promised))
            ?? "{\"access_token\":\"\(token)\",\"expires_in\":\(life.promised),\"token_type\":\"Bearer\"}"
    }

    /// The refusal of a request with an expired access token; nil if the request may pass.
    func tokenRefusal(_ request: Request) -> Refusal? {
        guard kind.hasTokens, request.call != .token else { return nil }
        guard kind.issuesTokens else {
            let time = Self.signingTime(of: request.authorization)
            facts.withLock { facts in
                if time == nil { facts.strangers += 1 }
                // Only Apple refuses a new one after a short time.
                if let time, kind == .apns { facts.signedAt.insert(time) }
            }
            return nil
        }
        let token = request.authorization.split(separator: " ").last.map(String.init) ?? ""
        let end = facts.withLock { facts -> ContinuousClock.Instant? in
            guard let end = facts.tokens[token] else {
                facts.strangers += 1
                return nil
            }
            if end <= .now { facts.refusedTokens += 1 }
            return end
        }
        guard let end, end > .now else {
            if kind == .huawei { return Self.huaweiTokens[0] }
            if let maker = kind.maker { return dice.pick(maker.endedTokens) }
            return dice.happens(50)
                ? Self.google(401, "UNAUTHENTICATED", Self.reason("ACCESS_TOKEN_EXPIRED"))
                : Self.google(401, "UNAUTHENTICATED")
        }
        return nil
    }

    /// Refuses the token of a request; a token of the vendor's own stays refused. Nil if requests have no token.
    func refuseToken(_ request: Request) -> Refusal? {
        guard kind.issuesTokens else {
            return kind.hasTokens ? dice.pick(kind == .apns ? Self.apnsTokens : Self.huaweiTokens) : nil
        }
        let token = request.authorization.split(separator: " ").last.map(String.init) ?? ""
        facts.withLock { if $0.tokens[token] != nil { $0.tokens[token] = .now } }
        return tokenRefusal(request)
    }

    // MARK: APNs

    /// The claim `iat` of a provider token.
    private static func signingTime(of authorization: String) -> Int? {
        let parts = authorization.split(separator: ".")
        guard ["bearer", "Bearer"].contains(authorization.prefix { $0 != " " }), parts.count == 3,
            let claims = Base64URL.decode(parts[1])
        else {
            return nil
        }
        return (try? JSONValue(parsing: claims))?["iat"]?.intValue
    }

    private static let apnsTargets: [Refusal] = [
        Refusal(status: 410, body: "{\"reason\":\"Unregistered\",\"timestamp\":1795161600123}", isDead: true),
        Refusal(status: 410, body: "{\"reason\":\"ExpiredToken\",\"timestamp\":1795161600123}", isDead: true),
        Refusal(status: 400, body: "{\"reason\":\"BadDeviceToken\"}"),
        Refusal(status: 400, body: "{\"reason\":\"DeviceTokenNotForTopic\"}"),
    ]

    private static let apnsTokens: [Refusal] = [
        Refusal(status: 403, body: "{\"reason\":\"ExpiredProviderToken\"}"),
        Refusal(status: 403, body: "{\"reason\":\"ExpiredProviderToken\"}"),
        Refusal(status: 403, body: "{\"reason\":\"InvalidProviderToken\"}"),
        Refusal(status: 429, body: "{\"reason\":\"TooManyProviderTokenUpdates\"}"),
    ]

    // MARK: Web Push

    /// Mozilla's refusals, and texts of other services.
    private static let webPush: [Refusal] = [
        Refusal(status: 410, body: "{\"code\":410,\"errno\":106,\"error\":\"Gone\"}", isDead: true),
        Refusal(status: 404, body: "{\"code\":404,\"errno\":102,\"error\":\"Not Found\"}", isDead: true),
        Refusal(status: 410, body: "push subscription has unsubscribed or expired.\n", isDead: true),
        Refusal(status: 401, body: "{\"code\":401,\"errno\":109,\"error\":\"Unauthorized\"}"),
        Refusal(status: 403, body: "the VAPID credentials do not correspond to the subscription"),
        Refusal(status: 400, body: "{\"reason\":\"VapidPkHashMismatch\"}"),
        Refusal(status: 413, body: "{\"code\":413,\"errno\":104,\"error\":\"Payload Too Large\"}"),
    ]

    // MARK: Huawei

    /// The envelope of both of Huawei's vendors.
    static func huawei(_ code: String, _ text: String, _ fields: String = "", id: String = "7") -> String {
        "{\"code\":\"\(code)\",\"msg\":\"\(text)\",\"requestId\":\"\(id)\"\(fields)}"
    }

    private static let huaweiTokens: [Refusal] = ["80200003", "80200005", "80200001"].map {
        Refusal(status: 401, body: huawei($0, "refused"))
    }
}
