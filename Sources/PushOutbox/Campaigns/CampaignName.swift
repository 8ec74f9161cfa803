public import PushAdapter

/// The name that a caller gives a campaign, such as `sale-2026-11` or `order-4711-shipped`. It still identifies the
/// campaign after a restart.
///
/// A name belongs to one campaign: if you enqueue it again, you get that campaign or a refusal. 1 to 200 bytes
/// without control characters.
public struct CampaignName: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    package static let longest = 200

    func check() throws(PushError) {
        let hasControl = rawValue.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...Self.longest).contains(rawValue.utf8.count), !hasControl else {
            throw PushError(
                .invalidArgument,
                "the name of a campaign has 1 to \(Self.longest) bytes and no control characters; it is "
                    + Redaction.quoted(rawValue))
        }
    }
}
