import COpenSSL
public import PushAdapter

/// Random bytes from OpenSSL's generator.
public enum SecureRandom {
    /// Throws `invalidState` when the machine has no entropy.
    public static func bytes(_ count: Int) throws(PushError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count == 0 || RAND_bytes(&bytes, Int32(count)) == 1 else {
            throw PushError(.invalidState, "OpenSSL's random generator failed; check its installation")
        }
        return bytes
    }
}
