public import PushAdapter

extension Capabilities {
    /// The note about an adapter that is a draft, for people; nil for any other.
    public var draftNote: String? { isDraft ? "not verified against the vendor's page" : nil }
}
