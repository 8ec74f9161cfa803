public import PushCore

/// What became of a token that was registered.
public struct EngageLabRegisteredToken: Sendable {
    /// The token of Apple's or Google's service.
    public let token: Secret
    /// The device that the vendor made or knows of it; nil for one that it refused.
    public let device: DeviceID?
    /// Whether the vendor did not know it before.
    public let isNew: Bool
    /// Why it was refused; nil for one that was taken.
    public let error: PushError?
}

extension EngageLab {
    /// `POST /v4/devices/token/registration_id`: makes devices of tokens of Apple's or Google's service.
    ///
    /// Some may be taken and others refused. No page says that a second registration is harmless, so a lost answer is
    /// not repeated; nor how many tokens a call takes.
    /// - Parameters:
    ///   - tokens: as the service gave them to the app.
    ///   - platform: Android or iOS.
    ///   - environment: Apple's environment of the tokens; for iOS.
    public func registerTokens(
        _ tokens: [String], on platform: Platform, environment: APNsEnvironment = .production
    ) throws(PushError) -> Exchange<[EngageLabRegisteredToken]> {
        guard !tokens.isEmpty, !tokens.contains("") else {
            throw PushError(.invalidArgument, "there is no token, or one is empty")
        }
        guard [.android, .ios].contains(platform) else {
            throw PushError(.unsupported, "EngageLab registers tokens of android and ios, not of \(platform)")
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
        return call(
            .engageLabRegisterTokens,
            WireRequest(
                .post, .engageLab, path: ["devices", "token", "registration_id"], body: Self.json(.object(body))),
            .unkeyed
        ) { (response) throws(PushError) in
            try response.json(Reply.self).results.map { row in
                let detail = VendorDetail(code: row.code, message: row.message, httpStatus: response.status)
                return EngageLabRegisteredToken(
                    token: Secret(row.token), device: row.device, isNew: row.isNew ?? false,
                    error: row.code == 0 ? nil : EngageLabErrors.error(row.code, detail))
            }
        }
    }
}
