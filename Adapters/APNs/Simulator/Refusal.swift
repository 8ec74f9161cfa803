import FoundationEssentials
import PushAdapter
import PushSimulation

/// One of Apple's errors: a status and a reason.
struct Refusal: Error {
    var status: Int
    var reason: String
    /// When the device token died; nil for any other refusal.
    var timestamp: Date?

    init(_ status: Int, _ reason: String, timestamp: Date? = nil) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
    }

    // MARK: Address

    static let methodNotAllowed = Refusal(405, "MethodNotAllowed")
    static let badPath = Refusal(404, "BadPath")
    static let missingDeviceToken = Refusal(400, "MissingDeviceToken")
    static let duplicateHeaders = Refusal(400, "DuplicateHeaders")

    // MARK: Access

    static let badCertificate = Refusal(403, "BadCertificate")
    static let badCertificateEnvironment = Refusal(403, "BadCertificateEnvironment")
    static let missingProviderToken = Refusal(403, "MissingProviderToken")
    static let invalidProviderToken = Refusal(403, "InvalidProviderToken")
    static let expiredProviderToken = Refusal(403, "ExpiredProviderToken")
    static let unrelatedKey = Refusal(403, "UnrelatedKeyIdInToken")
    static let tooManyTokens = Refusal(429, "TooManyProviderTokenUpdates")
    static let topicMismatch = Refusal(403, "TopicMismatch")

    static func foreignKey(isDocumented: Bool) -> Refusal {
        Refusal(403, isDocumented ? "BadEnvironmentKeyIdInToken" : "BadEnvironmentKeyInToken")
    }

    // MARK: Headers

    static let badMessageID = Refusal(400, "BadMessageId")
    static let missingTopic = Refusal(400, "MissingTopic")
    static let badTopic = Refusal(400, "BadTopic")
    static let topicDisallowed = Refusal(400, "TopicDisallowed")
    static let missingPushType = Refusal(400, "MissingPushType")
    static let invalidPushType = Refusal(400, "InvalidPushType")
    static let badPriority = Refusal(400, "BadPriority")
    static let badExpiration = Refusal(400, "BadExpirationDate")
    static let badCollapseID = Refusal(400, "BadCollapseId")

    static func topic(_ reason: APNsSimulatorSettings.TopicReason) -> Refusal {
        Refusal(reason == .invalidProviderToken ? 403 : 400, reason.rawValue)
    }

    // MARK: Payload

    static let payloadEmpty = Refusal(400, "PayloadEmpty")
    static let payloadTooLarge = Refusal(413, "PayloadTooLarge")
    static let badRequestPayload = Refusal(400, "BadRequestPayload")
    static let badRequestParams = Refusal(400, "BadRequestParams")

    // MARK: Targets

    static let badDeviceToken = Refusal(400, "BadDeviceToken")
    static let wrongTopic = Refusal(400, "DeviceTokenNotForTopic")
    static let tooManyRequests = Refusal(429, "TooManyRequests")
    static let missingChannelID = Refusal(400, "MissingChannelId")
    static let badChannelID = Refusal(400, "BadChannelId")
    static let unknownChannel = Refusal(400, "ChannelNotRegistered")
    static let cannotCreate = Refusal(400, "CannotCreateChannelConfig")

    static func noBroadcasts(isDocumented: Bool) -> Refusal {
        Refusal(400, isDocumented ? "FeatureNotEnabled" : "BroadcastFeatureNotEnabled")
    }

    // MARK: Failures

    /// An internal error in the form of each family of calls.
    static func failure(_ status: Int, _ family: Family, _ settings: APNsSimulatorSettings) -> Refusal {
        guard status == 503 else { return Refusal(status, "InternalServerError") }
        if settings.failsWithShutdown { return Refusal(503, "Shutdown") }
        let hasBlank = family != .push && settings.spacesServiceUnavailable
        return Refusal(503, hasBlank ? "Service Unavailable" : "ServiceUnavailable")
    }

    // MARK: Response

    func response(hasContentType: Bool) -> SimulatedResponse {
        var fields: [String: JSONValue] = ["reason": .string(reason)]
        if let timestamp {
            fields["timestamp"] = JSONValue(Int((timestamp.timeIntervalSince1970 * 1000).rounded()))
        }
        var response = SimulatedResponse(status: status, body: JSONWriter.bytes(of: .object(fields)))
        if hasContentType { response.headers[.contentType] = "application/json" }
        return response
    }
}
