import JiguangDialect
public import PushAdapter

/// The result of registering a token.
public struct EngageLabRegisteredToken: Sendable {
    /// The token of Apple's or Google's service.
    public let token: Secret
    /// The device that the vendor created for the token or already knows; nil if it refused the token.
    public let device: DeviceID?
    /// Whether the device is new to the vendor.
    public let isNew: Bool
    /// Why the vendor refused the token; nil if it accepted it.
    public let error: PushError?
}

extension EngageLab {
    /// `POST /v4/devices/token/registration_id`: registers tokens of Apple's or Google's service as devices.
    ///
    /// The vendor may accept some tokens and refuse others. No page says that a second registration is harmless, so the
    /// client does not retry after a lost response. No page says how many tokens a request takes.
    /// - Parameters:
    ///   - tokens: as the service gave them to the app.
    ///   - platform: Android or iOS.
    ///   - environment: Apple's environment of the tokens. For iOS only.
    public func registerTokens(
        _ tokens: [String], on platform: Platform, environment: AppEnvironment = .production
    ) throws(PushError) -> Exchange<[EngageLabRegisteredToken]> {
        guard !tokens.isEmpty, !tokens.contains("") else {
            throw PushError(.invalidArgument, "the list of tokens is empty, or has an empty token")
        }
        guard [.android, .ios].contains(platform) else {
            throw PushError(.unsupported, "EngageLab registers android and ios tokens, not \(platform) tokens")
        }
        var body: [String: JSONValue] = [
            "platform": .string(platform.rawValue), "tokens": .array(tokens.map(JSONValue.string)),
        ]
        if platform == .ios { body["apns_production"] = .bool(environment == .production) }
        struct Row: Decodable {
            var token: String
            var device: DeviceID?
            var isNew: Bool?
            var code: Int
            var message: String?

            private enum CodingKeys: String, CodingKey {
                case token, code, message
                case device = "registration_id"
                case isNew = "is_new"
            }
        }
        struct Reply: Decodable {
            var results: [Row]
        }
        return api.call(
            .engageLabRegisterTokens,
            WireRequest(
                .post, .engageLab, path: ["devices", "token", "registration_id"], body: .json(.object(body))),
            .unkeyed
        ) { (response) throws(PushError) in
            try response.json(Reply.self).results.map { row in
                let code = VendorCode(row.code)
                let detail = VendorDetail(code: code, message: row.message, httpStatus: response.status)
                return EngageLabRegisteredToken(
                    token: Secret(row.token), device: row.device, isNew: row.isNew ?? false,
                    error: code == 0 ? nil : EngageLabErrors.error(code, detail))
            }
        }
    }
}
