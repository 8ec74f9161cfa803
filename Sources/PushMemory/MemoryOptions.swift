public import PushAdapter

/// The one option of the memory vendor.
public struct MemoryOptions: ProviderOptions, Hashable {
    /// The memory vendor.
    public static let provider = MemoryProvider.id
    public static let keys = ["note"]

    static let rules: [OptionRule] = [.form("note", "a text that is not empty", refusing: [""]) { $0 != "" }]
    static let places = OptionPlaces(of: Self.self, ["message.options.memory": ["*"]])

    /// A remark, not empty, that is sent along and has no effect.
    public var note: String?

    /// Options with a remark, or without one.
    public init(note: String? = nil) { self.note = note }
}
