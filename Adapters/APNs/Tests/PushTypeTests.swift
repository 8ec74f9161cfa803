import PushAPNs
import PushAdapter
import TestSupport
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

    private static let app = Shop.topic

    static let rows: [Row] = [
        Row(type: .alert, topic: app, allowed: [1, 5, 10]),
        Row(type: .background, topic: app, allowed: [5], refused: [1, 10], standard: "5"),
        Row(type: .voip, topic: app + ".voip", allowed: [10], limit: 5120),
        Row(type: .complication, topic: app + ".complication", allowed: [1, 5, 10]),
        Row(type: .fileProvider, topic: app + ".pushkit.fileprovider", allowed: [5, 10], needsToken: true),
        Row(type: .mdm, topic: Shop.management, allowed: [10]),
        Row(
            type: .liveActivity, topic: app + ".push-type.liveactivity", allowed: [5, 10], refused: [1],
            needsToken: true),
        Row(type: .pushToTalk, topic: app + ".voip-ptt", allowed: [10], refused: [1, 5], standard: "10"),
        Row(type: .location, topic: app + ".location-query", allowed: [5, 10], refused: [1], needsToken: true),
        Row(type: .widgets, topic: app + ".push-type.widgets", allowed: [5, 10]),
        Row(type: .controls, topic: app + ".push-type.controls", allowed: [10]),
    ]

    private static let topics = Set(rows.map(\.topic)).sorted()

    @Test("the table has every type once")
    func table() { #expect(Self.rows.map(\.type) == APNsPushType.allCases) }

    private func header(_ name: String, of message: Message) throws -> String? {
        try Shop.header(name, of: Shop.request(of: message))
    }

    /// Expects a message to be accepted with a header field, or, for nil, to be refused by a name.
    private func expect(_ message: Message, _ name: String, _ value: String?, orNaming word: String) throws {
        guard let value else { return try Shop.expectRefusal(of: message, naming: word) }
        #expect(try Shop.refusal(of: message) == nil)
        #expect(try header(name, of: message) == value)
    }

    @Test("a push names its type and the topic of it, of another app too; some types need a token", arguments: rows)
    func topic(row: Row) throws {
        let message = try Shop.message(row.type)
        #expect(try header("apns-push-type", of: message) == row.type.rawValue)
        #expect(try header("apns-topic", of: message) == row.topic)
        #expect(try header("apns-priority", of: message) == row.standard)
        let other = row.topic.replacing(Shop.topic, with: Apple.cafe)
        #expect(try header("apns-topic", of: message.option(\.topic, other)) == other)
        let refusal = try Shop.refusal(of: message, from: APNs(certificateFor: Shop.topic))
        #expect(refusal?.kind == (row.needsToken ? PushError.Kind.unsupported : nil))
    }

    // A bundle id may end with voip or complication. Such a topic says nothing about a type without a suffix.
    @Test("a topic of the caller's fits the type, or is refused", arguments: rows, topics)
    func ownTopic(row: Row, topic: String) throws {
        let message = try Shop.message(row.type).option(\.topic, topic)
        let mayBeBundleID = topic.hasSuffix(".voip") || topic.hasSuffix(".complication")
        guard topic == row.topic || ![.alert, .background].contains(row.type) || !mayBeBundleID else { return }
        try expect(message, "apns-topic", topic == row.topic ? topic : nil, orNaming: "topic")
    }

    @Test("a priority is one that the type has", arguments: rows, [-1, 0, 1, 2, 5, 7, 10, 11])
    func priority(row: Row, priority: Int) throws {
        let message = try Shop.message(row.type).option(\.priority, priority)
        let isAllowed = row.allowed.contains(priority)
        guard isAllowed || row.refused.contains(priority) || ![1, 5, 10].contains(priority) else { return }
        try expect(message, "apns-priority", isAllowed ? String(priority) : nil, orNaming: "priority")
    }

    @Test("the delivery priority of a message is 10 or 5, where the type has it", arguments: rows)
    func deliveryPriority(row: Row) throws {
        for (wish, priority) in [(DeliveryPriority.high, 10), (.normal, 5)] {
            let message = try Shop.message(row.type).with(\.deliveryPriority, wish)
            if row.type == .background {
                // A message that shows nothing has normal priority, whatever it sets: a rule of the common model.
                #expect(try header("apns-priority", of: message) == "5")
            } else if row.allowed.contains(priority) {
                #expect(try header("apns-priority", of: message) == String(priority))
            } else if row.refused.contains(priority) {
                try Shop.expectRefusal(of: message)
            }
        }
    }

    /// A message whose payload grows by one byte per byte of text.
    private static func message(_ type: APNsPushType, _ text: String) throws -> Message {
        switch type {
        case .alert: return Message(notification: Notification(body: text))
        case .voip: return Message(voip: ["a": .string(text)])
        case .liveActivity: return Message(liveActivity: ["event": "update", "content-state": ["a": .string(text)]])
        case .mdm: return try Shop.custom(.mdm, content: text, topic: Shop.management)
        default: return try Shop.custom(type, extras: ["a": .string(text)])
        }
    }

    @Test("a payload has as many bytes as the type allows, and no more; characters do not count", arguments: rows)
    func payload(row: Row) throws {
        let room = try row.limit - Shop.request(of: Self.message(row.type, "x")).body.text.utf8.count + 1
        let longest = try Self.message(row.type, String(repeating: "b", count: room))
        #expect(try Shop.request(of: longest).body.text.utf8.count == row.limit)
        #expect(try Shop.refusal(of: longest) == nil)
        let longer = try Self.message(row.type, String(repeating: "b", count: room + 1))
        try Shop.expectRefusal(of: longer, .tooLong, naming: String(row.limit))
        let wide = try Self.message(row.type, String(repeating: "é", count: room / 2 + 1))
        try Shop.expectRefusal(of: wide, .tooLong)
    }

    /// The types that the contents imply.
    private static let natural: [APNsPushType] = [.alert, .background, .voip, .liveActivity]

    @Test(
        "the contents decide the type, and a custom message may have any but two", arguments: natural,
        APNsPushType.allCases)
    func contents(content: APNsPushType, type: APNsPushType) throws {
        let message = try Shop.message(content).option(\.pushType, type)
            .option(\.topic, type == .mdm ? Shop.management : nil)
        let fits = type == content || content == .background && type != .voip && type != .liveActivity
        try expect(message, "apns-push-type", fits ? type.rawValue : nil, orNaming: "")
    }

    @Test("a push has one content")
    func oneContent() throws {
        let both = Shop.shown().with(\.custom, CustomMessage(content: "c"))
        try Shop.expectRefusal(of: both, .unsupported, naming: "custom")
        #expect(try Shop.refusal(of: Message()) != nil)
    }
}
