import FoundationEssentials
import PushAdapter
import PushClient
import PushFCM
import TestSupport
import Testing

/// Every field that FCM carries, and its place on the wire, from `Fixtures/fields.json`.
@Suite("FCM wire fields")
struct WireFieldTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        var id: String
        /// The paths in the message that the row covers, joined by ` + `.
        var field: String
        var message: JSONValue
        /// The message on the wire, without its target.
        var wire: JSONValue
        var source: String
        var testDescription: String { id }

        var paths: [String] { field.split(separator: " + ").map(String.init) }

        func decodedMessage() throws -> Message {
            try JSONDecoder().decode(Message.self, from: Data(JSONWriter.bytes(of: message)))
        }

        /// The value of a field. A suffix for the form of a text or a badge is not a key.
        func value(at path: String) -> JSONValue? {
            let form = [".localized", ".set"].first { path.hasSuffix($0) } ?? ""
            return path.dropLast(form.count).split(separator: ".").reduce(Optional(message)) { $0?[String($1)] }
        }
    }

    static let rows: [Row] = fixture("fields.json") ?? []

    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("a field is on the wire where the vendor has it, and nothing else is", arguments: rows)
    func wire(row: Row) throws {
        let fcm = try FCM(Firebase.account())
        let exchange = try fcm.send(
            try row.decodedMessage(), to: .devices(["t"]), in: SendContext(at: Self.now))
        guard case .bytes(let bytes, _) = exchange.request.body, case .object(var fields) = row.wire else {
            Issue.record("no body, or the row has no object")
            return
        }
        fields["token"] = "t"
        let expected: JSONValue = ["message": .object(fields)]
        #expect(try JSONValue(parsing: bytes) == expected)
    }

    @Test("the vendor's simulator accepts it", arguments: rows)
    func acceptance(row: Row) async throws {
        let firebase = try Firebase()
        let report = try await firebase.client.send(try row.decodedMessage(), to: Firebase.devices(3))
        #expect(report.isComplete)
    }

    @Test("every declared field has a row; the kit covers the options")
    func coverage() throws {
        let declared = try FCM(Firebase.account()).capabilities.fields.map { Self.path(of: $0) }
        #expect(Set(declared).subtracting(Self.rows.flatMap(\.paths)).sorted() == [])
    }

    @Test("a row is about fields that its message sets, and names its source")
    func rowsAreTrue() {
        #expect(Set(Self.rows.map(\.id)).count == Self.rows.count)
        for row in Self.rows {
            #expect(!row.source.isEmpty, "\(row.id)")
            let missing = row.paths.filter { row.value(at: $0) == nil }
            #expect(missing == [], "\(row.id)")
        }
    }

    /// The path of a field in the JSON form of a message.
    private static func path(of field: MessageField) -> String {
        let isOfNotification =
            [.image, .extras].contains(field)
            || ["title", "body", "ios.", "android.", "harmony."].contains { field.rawValue.hasPrefix($0) }
        return isOfNotification ? "notification." + field.rawValue : field.rawValue
    }
}
