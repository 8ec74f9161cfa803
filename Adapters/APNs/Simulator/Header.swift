import PushAdapter
import PushSimulation

/// The header fields that Apple's servers read and write.
enum Header: String {
    case authorization
    case topic = "apns-topic"
    case pushType = "apns-push-type"
    case id = "apns-id"
    case expiration = "apns-expiration"
    case priority = "apns-priority"
    case collapseID = "apns-collapse-id"
    case channelID = "apns-channel-id"
    case requestID = "apns-request-id"
    case uniqueID = "apns-unique-id"

    /// The fields of a push. A push may give each only once.
    static let ofPushes: [Header] = [.authorization, .topic, .pushType, .id, .expiration, .priority, .collapseID]

    var name: HTTPField.Name? { HTTPField.Name(rawValue) }
}

extension SimulatedRequest {
    /// The value of a header field; nil if it is missing or empty.
    func value(of header: Header) -> String? {
        guard let name = header.name, let value = headers[name], !value.isEmpty else { return nil }
        return value
    }

    func hasTwice(_ header: Header) -> Bool { header.name.map { headers[values: $0].count > 1 } ?? false }
}

extension SimulatedResponse {
    mutating func set(_ header: Header, _ value: String) {
        if let name = header.name { headers[name] = value }
    }
}
