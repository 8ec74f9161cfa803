/// Refuses unknown keys in a document, so that a typo is not mistaken for an absent field.
package enum StrictKeys {
    /// Throws an ``UnknownKey`` that names the first unknown key and the known ones.
    package static func check(_ decoder: any Decoder, _ known: [String]) throws {
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
        throw UnknownKey(name: unknown, known: known, path: decoder.codingPath.map(\.stringValue))
    }
}

extension Decoder {
    /// An object that has only the keys of a type. Throws an ``UnknownKey`` for another one.
    package func object<Key: CodingKey & CaseIterable & RawRepresentable<String>>(
        of _: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        try StrictKeys.check(self, Key.allCases.map(\.rawValue))
        return try container(keyedBy: Key.self)
    }
}

/// A key that a document must not have. Its text needs no masking, because keys are the caller's words, not values.
package struct UnknownKey: Error, CustomStringConvertible {
    package var name: String
    package var known: [String]
    package var path: [String]

    package var description: String {
        let place = path.isEmpty ? "" : " at \(path.joined(separator: "."))"
        let advice = known.isEmpty ? "" : "; known keys: \(known.joined(separator: ", "))"
        return "unknown key \(Redaction.quoted(name))\(place)\(advice)"
    }
}

/// Any key of an object.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
