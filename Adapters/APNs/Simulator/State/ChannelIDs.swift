import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Generates channel ids and recognizes its own without storing them. The second half of an id is an authentication
/// code of the first half and the app.
struct ChannelIDs {
    private static let half = 8
    private let key = Secret(SimulatorRandom.bytes(32))

    func next(for app: String) -> String {
        let start = SimulatorRandom.bytes(Self.half)
        return Data(start + code(start, app)).base64EncodedString()
    }

    func made(_ id: String, for app: String) -> Bool {
        guard let bytes = Data(base64Encoded: id).map({ Array($0) }), bytes.count == 2 * Self.half else { return false }
        return Array(bytes[Self.half...]) == code(Array(bytes[..<Self.half]), app)
    }

    private func code(_ start: [UInt8], _ app: String) -> [UInt8] {
        Array(Digests.hmacSHA256(start + Array(app.utf8), key: key).prefix(Self.half))
    }
}
