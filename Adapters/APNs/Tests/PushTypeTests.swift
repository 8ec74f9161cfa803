import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

/// The vendor's rules for each push type: topic, priorities and largest payload.
///
/// Source: Sending notification requests to APNs, 2026, and the vendor's page about each type.
@Suite("APNs push types")
struct PushTypeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var type: APNsPushType
        var topic: String
        /// Of 1, 5 and 10. The pages do not mention the others, unless they are refused.
        var allowed: Set<Int>
        var refused: Set<Int> = []
        /// The priority of a message that sets none; nil for no header field.
        var standard: String?
        var limit = 4096
        var needsToken = false

        var testDescription: String { type.rawValue }
    }

    private static let rows: [Row] = [
        Row(type: .alert, topic: Shop.topic, allowed: [1, 5, 10]),
        Row(type: .background, topic: Shop.topic, allowed: [5], refused: [1, 10], standard: "5"),
        Row(type: .voip, topic: "com.example.shop.voip", allowed: [10], limit: 5120),
        Row(type: .complication, topic: "com.example.shop.complication", allowed: [1, 5, 10]),
        Row(type: .fileProvider, topic: "com.example.shop.pushkit.fileprovider", allowed: [5, 10], needsToken: true),
        Row(type: .mdm, topic: Shop.management, allowed: [10]),
        Row(
            type: .liveActivity, topic: "com.example.shop.push-type.liveactivity", allowed: [5, 10], refused: [1],
            needsToken: true),
        Row(type: .pushToTalk, topic: "com.example.shop.voip-ptt", allowed: [10], refused: [1, 5], standard: "10"),
        Row(
            type: .location, topic: "com.example.shop.location-query", allowed: [5, 10], refused: [1],
            needsToken: true),
        Row(type: .widgets, topic: "com.example.shop.push-type.widgets", allowed: [5, 10]),
        Row(type: .controls, topic: "com.example.shop.push-type.controls", allowed: [10]),
    ]

    private static let topics: [String] = {
        var topics: [String] = []
        for row in rows where !topics.contains(row.topic) { topics.append(row.topic) }
        return topics
    }()

    @Test("the table has every type once")
    func table() {
        #expect(Self.rows.map(\.type) == APNsPushType.allCases)
    }

    // MARK: Topics

    @Test("a push names its type and the topic of it", arguments: rows)
    func topic(row: Row) throws {
        let request = try Shop.request(of: Shop.message(row.type))
        #expect(Shop.header("apns-push-type", of: request) == row.type.rawValue)
        #expect(Shop.header("apns-topic", of: request) == row.topic)
        #expect(Shop.header("apns-priority", of: request) == row.standard)
    }

    // A bundle id may end with voip or complication. Such a topic says nothing about a type without a suffix.
    @Test("a topic of the caller's fits the type, or is refused", arguments: rows, topics)
    func ownTopic(row: Row, topic: String) throws {
        let message = try Shop.changed(Shop.message(row.type)) { $0.topic = topic }
        let refusal = try Shop.refusal(of: message)
        if topic == row.topic {
            #expect(refusal?.kind == nil)
            #expect(try Shop.header("apns-topic", of: Shop.request(of: message)) == topic)
        } else if !Self.mayBeBundleID(topic, row.type) {
            #expect(refusal?.kind == .invalidArgument && refusal?.message.contains("topic") == true)
        }
    }

    private static func mayBeBundleID(_ topic: String, _ type: APNsPushType) -> Bool {
        [.alert, .background].contains(type) && (topic.hasSuffix(".voip") || topic.hasSuffix(".complication"))
    }

    @Test("a topic may be that of another app of the team", arguments: rows)
    func otherApp(row: Row) throws {
        let topic = row.topic.replacing(Shop.topic, with: ShopClient.otherTopic)
        let message = try Shop.changed(Shop.message(row.type)) { $0.topic = topic }
        #expect(try Shop.header("apns-topic", of: Shop.request(of: message)) == topic)
    }

    // MARK: Priorities

    @Test("a priority is one that the type has", arguments: rows, [-1, 0, 1, 2, 5, 7, 10, 11])
    func priority(row: Row, priority: Int) throws {
        let message = try Shop.changed(Shop.message(row.type)) { $0.priority = priority }
        let refusal = try Shop.refusal(of: message)
        if row.allowed.contains(priority) {
            #expect(refusal?.kind == nil)
            #expect(try Shop.header("apns-priority", of: Shop.request(of: message)) == String(priority))
        } else if row.refused.contains(priority) || ![1, 5, 10].contains(priority) {
            #expect(refusal?.kind == .invalidArgument && refusal?.message.contains("priority") == true)
        }
    }

    @Test("the delivery priority of a message is 10 or 5, where the type has it", arguments: rows)
    func deliveryPriority(row: Row) throws {
        for (wish, priority) in [(DeliveryPriority.high, 10), (.normal, 5)] {
            var message = try Shop.message(row.type)
            message.deliveryPriority = wish
            let refusal = try Shop.refusal(of: message)
            if row.type == .background {
                // A message that shows nothing always has normal priority, whatever it sets: a rule of the common
                // model.
                #expect(try Shop.header("apns-priority", of: Shop.request(of: message)) == "5")
            } else if row.allowed.contains(priority) {
                #expect(try Shop.header("apns-priority", of: Shop.request(of: message)) == String(priority))
            } else if row.refused.contains(priority) {
                #expect(refusal?.kind == .invalidArgument)
            }
        }
    }

    // MARK: Payloads

    /// A message whose payload grows by one byte per byte of text.
    private static func message(_ type: APNsPushType, _ text: String) throws -> Message {
        switch type {
        case .alert: return Message(notification: Notification(body: text))
        case .voip: return Message(voip: ["a": .string(text)])
        case .liveActivity:
            return Message(liveActivity: ["event": "update", "content-state": ["a": .string(text)]])
        case .mdm: return try Shop.custom(.mdm, content: text, topic: Shop.management)
        default: return try Shop.custom(type, extras: ["a": .string(text)])
        }
    }

    @Test("a payload is as long as the type allows, and no longer", arguments: rows)
    func payload(row: Row) throws {
        let frame = try Shop.bytes(of: Shop.request(of: Self.message(row.type, "x"))).count - 1
        let longest = try Self.message(row.type, String(repeating: "b", count: row.limit - frame))
        #expect(try Shop.bytes(of: Shop.request(of: longest)).count == row.limit)
        #expect(try Shop.refusal(of: longest)?.kind == nil)
        let longer = try Self.message(row.type, String(repeating: "b", count: row.limit - frame + 1))
        let refusal = try Shop.refusal(of: longer)
        #expect(refusal?.kind == .tooLong && refusal?.message.contains(String(row.limit)) == true)
        // The limit counts bytes, not characters.
        let wide = try Self.message(row.type, String(repeating: "é", count: (row.limit - frame) / 2 + 1))
        #expect(try Shop.refusal(of: wide)?.kind == .tooLong)
    }

    // MARK: Contents

    /// The types that the contents imply.
    private static let natural: [APNsPushType] = [.alert, .background, .voip, .liveActivity]

    @Test("the contents decide the type, and a custom message may have any but two", arguments: natural)
    func contents(content: APNsPushType) throws {
        for type in APNsPushType.allCases {
            let message = try Shop.changed(Shop.message(content)) {
                $0.pushType = type
                if type == .mdm { $0.topic = Shop.management }
            }
            let refusal = try Shop.refusal(of: message)
            if type == content || content == .background && type != .voip && type != .liveActivity {
                #expect(refusal?.kind == nil, "\(type)")
                #expect(try Shop.header("apns-push-type", of: Shop.request(of: message)) == type.rawValue)
            } else {
                #expect(refusal?.kind == .invalidArgument, "\(type)")
            }
        }
    }

    @Test("a push has one content")
    func oneContent() throws {
        var message = Shop.shown()
        message.custom = CustomMessage(content: "c")
        let refusal = try Shop.refusal(of: message)
        #expect(refusal?.kind == .unsupported && refusal?.message.contains("custom") == true)
        #expect(try Shop.refusal(of: Message())?.kind != nil)
    }

    @Test("a certificate does not do for the types that need a token", arguments: rows)
    func certificate(row: Row) throws {
        let apns = try APNs(certificateFor: Shop.topic)
        let refusal = try Shop.refusal(of: Shop.message(row.type), from: apns)
        #expect(refusal?.kind == (row.needsToken ? PushError.Kind.unsupported : nil))
    }
}
