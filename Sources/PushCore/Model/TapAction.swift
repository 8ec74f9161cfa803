/// The action of a tap on a notification, besides opening the app. Its JSON form is an object with one key, the name of
/// the case: `{"link": "https://example.com/order/7"}`.
///
/// Each vendor supports some of these; the client refuses the others by name.
public enum TapAction: Sendable, Hashable {
    /// Opens an http or https address: in the browser, or in the app that claims it.
    case link(String)
    /// Opens a URI: an intent in Android's form, such as `intent:#Intent;component=com.example/.Order;end`, or a deep
    /// link of the app, such as `myapp://order/7`.
    case intentURI(String)
    /// Starts an activity or ability by the action that it declares, such as `com.example.ORDER`.
    case intentAction(String)
    /// Starts an activity of the app by its class, such as `com.example.OrderActivity`.
    case activity(String)

    /// The name of the case, which is the form of the message field: `android.tap.link`.
    public var name: String {
        switch self {
        case .link: "link"
        case .intentURI: "intentURI"
        case .intentAction: "intentAction"
        case .activity: "activity"
        }
    }

    /// The address, the URI, the action or the class.
    public var value: String {
        switch self {
        case .link(let value), .intentURI(let value), .intentAction(let value), .activity(let value): value
        }
    }
}

extension TapAction: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case link, intentURI, intentAction, activity }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a tap does one thing: give link, intentURI, intentAction or activity"))
        }
        let value = try container.decode(String.self, forKey: key)
        switch key {
        case .link: self = .link(value)
        case .intentURI: self = .intentURI(value)
        case .intentAction: self = .intentAction(value)
        case .activity: self = .activity(value)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .link(let value): try container.encode(value, forKey: .link)
        case .intentURI(let value): try container.encode(value, forKey: .intentURI)
        case .intentAction(let value): try container.encode(value, forKey: .intentAction)
        case .activity(let value): try container.encode(value, forKey: .activity)
        }
    }
}
