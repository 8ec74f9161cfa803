/// Refuses keys that a document must not have, so that a typing mistake is not taken for an absent field.
package enum StrictKeys {
    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Throws a `DecodingError` that names the first unknown key and the known ones.
    package static func check(_ decoder: any Decoder, _ known: [String]) throws {
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription: "unknown key \(Redaction.quoted(unknown)); known are \(known.joined(separator: ", "))"
            ))
    }
}
