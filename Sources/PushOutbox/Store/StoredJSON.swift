import FoundationEssentials
import PushAdapter

/// Messages and audiences as a store keeps them.
enum StoredJSON {
    /// With sorted keys, so that the same value has the same bytes.
    static func write(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(value))
    }

    /// Refuses with `unsupported` what a newer version wrote.
    static func read<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(PushError) -> Value {
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
            throw PushError(
                .unsupported, "a stored message cannot be read; update the worker: \(JSONValue.reason(for: error))")
        }
    }
}
