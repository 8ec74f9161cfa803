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

    /// The same as a secret. The count is above 0.
    static func secret(_ count: Int) throws(PushError) -> Secret {
        try Secret.written(count, orThrow: "has no random bytes") { RAND_priv_bytes($0, Int32(count)) == 1 }
    }
}
