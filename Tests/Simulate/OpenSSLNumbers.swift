import Glibc
import PushAdapter
import PushSimulation
import PushSimulationTesting

/// OpenSSL's random numbers, which signatures and the access tokens of simulators consist of. During a run, they follow
/// from the seed. Without this they would not, and no call to the system would show it: OpenSSL asks the system once and
/// goes on by itself.
enum OpenSSLNumbers {
    /// Numbers that belong to no run, such as those of vendors' keys, which are made before the first one.
    private static let others = Locked(SplitMix(seed: 1))
    /// The length of a number that blinds an RSA key while it signs. It changes nothing that others see, and a key
    /// keeps it for later signatures, also those of the next run.
    private static let blinding = 256

    private static func draw(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        if bytes.count < blinding, let run = Scheduler.current, run.isHere, !run.isOutside { return run.fill(bytes) }
        for index in bytes.indices { bytes[index] = others.withLock { .random(in: 0...255, using: &$0) } }
    }

    private typealias Draw = @convention(c) (UnsafeMutablePointer<UInt8>, Int32) -> Int32
    private typealias SetMethod = @convention(c) (UnsafePointer<UnsafeRawPointer?>) -> Int32

    /// Replaces OpenSSL's generator. The function is looked up, because OpenSSL's headers deprecate it and Swift would warn.
    static func followSeed() {
        guard let place = dlsym(nil, "RAND_set_rand_method") else { fatalError("OpenSSL has no RAND_set_rand_method") }
        let draw: Draw = { bytes, count in
            OpenSSLNumbers.draw(UnsafeMutableBufferPointer(start: bytes, count: Int(count)))
            return 1
        }
        let state: @convention(c) () -> Int32 = { 1 }
        // Its functions: seed, bytes, end, add, bytes that need not be secret, and whether it has a seed.
        let functions = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 6)
        functions.initialize(repeating: nil, count: 6)
        functions[1] = unsafeBitCast(draw, to: UnsafeRawPointer.self)
        functions[4] = functions[1]
        functions[5] = unsafeBitCast(state, to: UnsafeRawPointer.self)
        guard unsafeBitCast(place, to: SetMethod.self)(functions) == 1 else {
            fatalError("OpenSSL refused another generator")
        }
    }
}
