import Glibc

/// The current call stack, for people: the function names that the dynamic linker knows.
package enum Backtrace {
    private typealias Demangle =
        @convention(c) (
            UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
        ) -> UnsafeMutablePointer<CChar>?
    private typealias Frames = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
    /// Fills in the file's name and first address, and the function's name and address.
    private typealias Describe =
        @convention(c) (
            UnsafeRawPointer, UnsafeMutablePointer<UnsafePointer<CChar>?>
        ) -> Int32

    /// The callers, nearest first, each on its own line. Not inlined, because it counts its own place too.
    @inline(never)
    package static func here(skipping count: Int = 2) -> String {
        guard let read = function("backtrace", Frames.self), let describe = function("dladdr", Describe.self) else {
            return ""
        }
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 24)
        let depth = Int(read(&frames, Int32(frames.count)))
        let names = frames.prefix(depth).dropFirst(count).compactMap { frame -> String? in
            var parts = [UnsafePointer<CChar>?](repeating: nil, count: 4)
            guard let frame, describe(frame, &parts) != 0 else { return nil }
            if let name = parts[2] { return demangled(name) }
            // A function that an optimised build has no name for: its place in the file.
            guard let file = parts[0], let base = parts[1] else { return nil }
            return "\(String(cString: file))+0x\(String(frame - UnsafeMutableRawPointer(mutating: base), radix: 16))"
        }
        return names.prefix(12).map { "\n    at \($0)" }.joined()
    }

    private static func demangled(_ name: UnsafePointer<CChar>) -> String {
        guard let demangle = function("swift_demangle", Demangle.self),
            let text = demangle(name, strlen(name), nil, nil, 0)
        else { return String(cString: name) }
        defer { free(text) }
        return String(cString: text)
    }

    private static func function<Function>(_ name: String, _: Function.Type) -> Function? {
        dlsym(dlopen(nil, RTLD_LAZY), name).map { unsafeBitCast($0, to: Function.self) }
    }
}
