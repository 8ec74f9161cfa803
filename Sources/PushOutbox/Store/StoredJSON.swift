import FoundationEssentials
import PushAdapter

/// Encodes messages and audiences for a store.
enum StoredJSON {
    /// Sorts the keys, so that the same value has the same bytes.
    static func write(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(value))
    }

    /// Refuses values that a newer version wrote with `unsupported`.
    static func read<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(PushError) -> Value {
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
            throw PushError(
                .unsupported, "a stored message cannot be read; update the worker: \(JSONValue.reason(for: error))")
        }
    }
}
