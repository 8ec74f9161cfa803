public import Glibc
import PushAdapter

/// Replaces the system's resolver, also for libcurl, because a process's own function takes precedence over a
/// library's. Names that end in `.slow.invalid` get no answer until ``SlowNames/areAnswered``, and do not exist. All
/// other names go to the system.
@_cdecl("getaddrinfo")
public func hostileLookup(
    _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?, _ hints: UnsafePointer<addrinfo>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> Int32 {
    if let name, String(cString: name).hasSuffix(SlowNames.suffix) {
        SlowNames.running.withLock { $0 += 1 }
        defer { SlowNames.running.withLock { $0 -= 1 } }
        for _ in 0..<12_000 where !SlowNames.areAnswered.withLock({ $0 }) { usleep(10_000) }
        return EAI_NONAME
    }
    typealias Lookup =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
            UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
        ) -> Int32
    guard let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "getaddrinfo") else { return EAI_SYSTEM }
    return unsafeBitCast(next, to: Lookup.self)(name, service, hints, result)
}

enum SlowNames {
    static let suffix = ".slow.invalid"
    /// Lookups in flight.
    static let running = Locked(0)
    /// Whether the name server answers now.
    static let areAnswered = Locked(false)
}
