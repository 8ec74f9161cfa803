import FoundationEssentials
public import PushAdapter
import PushSimulation

/// The place of each field of a message in a vendor's request: read off the requests that its adapter makes, not typed.
public enum FieldMap {
    /// A field of the model, and its place at a vendor.
    public struct Row: Sendable, Hashable {
        /// The field.
        public var field: MessageField
        /// The model's rule for its values; nil if every value is allowed.
        public var rule: String?
        /// Where the value is on the wire, or why the vendor refuses the field.
        public var becomes: String
    }

    /// The rows of a vendor, by kinds of apps if they differ. Fields of platforms that no app has are omitted: the
    /// client ignores them.
    public static func rows(of vendor: any RegisteredVendor) throws(PushError) -> [Row] {
        let apps = try vendor.makeApps()
        return FieldRow.all.compactMap { row in
            let fitting = apps.filter { app in
                row.field.platform.map { app.provider.capabilities.platforms?.contains($0) ?? true } ?? true
            }
            if fitting.isEmpty { return nil }
            let places = fitting.map { (name: $0.name, text: place(of: row, at: $0.provider, vendor)) }
            let texts = Set(places.map(\.text))
            let becomes =
                if let only = texts.first, texts.count == 1 {
                    only
                } else {
                    places.map { "\($0.name): \($0.text)" }.joined(separator: "; ")
                }
            return Row(field: row.field, rule: row.rule, becomes: becomes)
        }
    }

    private static func place(
        of row: FieldRow, at provider: any PushProvider, _ vendor: any RegisteredVendor
    ) -> String {
        let capabilities = provider.capabilities
        if let reason = capabilities.ignoredFields[row.field] { return "ignored: \(reason)" }
        guard capabilities.fields.contains(row.field) else {
            return "refused" + (capabilities.absentFields[row.field].map { ": \($0)" } ?? "")
        }
        var plain =
            row.field.rawValue.hasPrefix("custom.")
            ? Message(custom: CustomMessage(content: "data"))
            : Message(
                notification: Notification(
                    title: "Title", body: "Hello", ios: IOSNotification(), android: AndroidNotification(),
                    harmony: HarmonyNotification()))
        // A template is a part of a class, which has fields of its own.
        if row.field == .template { plain.messageClass = MessageClass(.service, .order) }
        var refusal: PushError?
        for example in row.examples {
            var varied = plain
            example(&varied)
            do throws(PushError) {
                let before = try request(plain, provider, vendor)
                let paths = try changes(from: before, to: request(varied, provider, vendor))
                // A message for the app's only platform is a message for all platforms.
                if !paths.isEmpty { return paths.map { "`\($0)`" }.joined(separator: ", ") }
            } catch {
                refusal = error
            }
        }
        return refusal.map { "refused: \($0.message)" } ?? "as without it"
    }

    /// The request that sends a message, at one moment and with one id.
    private static func request(
        _ message: Message, _ provider: any PushProvider, _ vendor: any RegisteredVendor
    ) throws(PushError) -> WireRequest {
        let context = SendContext(at: Date(timeIntervalSince1970: 1_800_000_000), key: nil, id: (high: 1, low: 1))
        let device = DeviceID(vendor.device(0).id)
        return vendor.opened(try provider.send(message, to: .devices([device]), in: context).request)
    }

    /// The places that the new request has and the old one lacks, or has with another value: header fields, and paths
    /// in the body.
    private static func changes(from old: WireRequest, to new: WireRequest) -> [String] {
        let (before, after) = (places(in: old), places(in: new))
        return after.keys.filter { before[$0] != after[$0] }.sorted()
    }

    private static func places(in request: WireRequest) -> [String: JSONValue] {
        var places: [String: JSONValue] = ["address": .string(request.service.rawValue)]
        for field in request.headers { places["\(field.name.rawName):"] = .string(field.value) }
        if case .bytes(let bytes, _) = request.body, let body = try? JSONValue(parsing: bytes) {
            add(body, at: "", to: &places)
        }
        return places
    }

    private static func add(_ value: JSONValue, at path: String, to places: inout [String: JSONValue]) {
        guard case .object(let fields) = value else {
            places[path] = value
            return
        }
        for (key, value) in fields { add(value, at: path.isEmpty ? key : "\(path).\(key)", to: &places) }
    }
}
