import Glibc

/// What the process holds.
struct Resources {
    var descriptors: Int
    var threads: Int
    var residentMiB: Int

    static var now: Resources {
        Resources(
            descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"), residentMiB: resident())
    }

    private static func count(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Not itself and the one above.
        return count - 2
    }

    /// What is resident once the allocator has given back what was freed: it keeps pages for later, more of them the
    /// longer the process runs.
    private static func resident() -> Int {
        typealias Trim = @convention(c) (Int) -> Int32
        if let symbol = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(symbol, to: Trim.self)(0) }
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (pages * Int(getpagesize())) >> 20
    }
}
