import PushAdapter

/// Reads the app's agreements with phone makers about classes of messages.
struct ClassReader {
    private let reader: SettingsReader
    private let vendor: ProviderID
    private let makers: Set<ProviderID>

    /// - Parameter makers: the makers whose words the vendor's adapter writes.
    init(_ reader: SettingsReader, _ vendor: ProviderID, _ makers: Set<ProviderID>) {
        self.reader = reader
        self.vendor = vendor
        self.makers = makers
    }

    /// Refuses with `misconfigured` an unknown maker, a word or an approval twice, and any of it for a vendor that has no
    /// classes.
    func read() async throws(PushError) -> ClassSettings {
        var settings = ClassSettings()
        if let text = try await reader.text("defaultClass") {
            guard !makers.isEmpty, let value = MessageClass(text) else {
                throw wrong("defaultClass", text, "service, marketing, or one with a category, such as service:order")
            }
            settings.defaultClass = value
        }
        for text in try await reader.texts("categoryWords") ?? [] {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty, let place = place(parts[0]),
                settings.words[place.maker, default: [:]].updateValue(parts[1], forKey: place.category) == nil
            else {
                throw wrong("categoryWords", text, "each category once, such as \(example)=WORD, \(known)")
            }
        }
        for text in try await reader.texts("approvedCategories") ?? [] {
            guard let place = place(text), place.category.intent != .marketing,
                settings.approved[place.maker, default: []].insert(place.category).inserted
            else {
                throw wrong("approvedCategories", text, "each category of service once, such as \(example), \(known)")
            }
        }
        return settings
    }

    /// `xiaomi.order`, or `order` for the vendor itself.
    private func place(_ text: String) -> (maker: ProviderID, category: MessageClass.Category)? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let maker = parts.count == 2 ? ProviderID(parts[0]) : vendor
        guard makers.contains(maker), let category = parts.last, !category.isEmpty else { return nil }
        return (maker, MessageClass.Category(category))
    }

    private var example: String { makers == [vendor] ? "order" : "\(makers.min() ?? vendor).order" }

    private var known: String { "of \(makers.sorted().map(\.rawValue).joined(separator: ", "))" }

    private func wrong(_ name: String, _ text: String, _ allowed: String) -> PushError {
        reader.wrong(
            name, "has \(Redaction.quoted(text))",
            makers.isEmpty ? "nothing, because the classes of messages do not reach this vendor" : allowed)
    }
}
