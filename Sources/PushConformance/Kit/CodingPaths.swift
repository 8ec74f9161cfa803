/// The paths of all keys that a type reads, at any depth. Decodes a fake document that has every key the type asks for.
func codingPaths<Value: Decodable>(of type: Value.Type) throws -> Set<String> {
    let seen = SeenPaths()
    _ = try Value(from: AnyDocument(seen: seen, place: []))
    return seen.paths
}

private final class SeenPaths {
    var paths: Set<String> = []
}

private struct AnyDocument: Decoder {
    let seen: SeenPaths
    let place: [String]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(AnyFields<Key>(document: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { NoItems() }
    func singleValueContainer() -> any SingleValueDecodingContainer { AnyValue(document: self) }

    /// The document under a key. Records the key as seen.
    func child(_ key: some CodingKey) -> AnyDocument {
        let place = place + [key.stringValue]
        seen.paths.insert(place.joined(separator: "."))
        return AnyDocument(seen: seen, place: place)
    }
}

/// Contains every key, but lists none.
private struct AnyFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: AnyDocument
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try AnyValue(document: document.child(key)).decode(type)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        document.child(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { NoItems() }
    func superDecoder() -> any Decoder { document }
    func superDecoder(forKey key: Key) -> any Decoder { document.child(key) }
}

/// A value of any type: a sample, the first case of an enum, or a value that the type reads itself.
private struct AnyValue: SingleValueDecodingContainer {
    let document: AnyDocument
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let samples: [any Decodable] = ["", false, 0, 0.0]
        for sample in samples {
            if let sample = sample as? T { return sample }
        }
        if let cases = T.self as? any CaseIterable.Type, let first = Self.firstCase(of: cases) as? T { return first }
        return try T(from: document)
    }

    private static func firstCase<T: CaseIterable>(of type: T.Type) -> Any? { type.allCases.first }
}

private struct NoItems: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    private var end: DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a list without items"))
    }

    func decodeNil() throws -> Bool { throw end }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { throw end }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        throw end
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw end }
    func superDecoder() throws -> any Decoder { throw end }
}
