import Glibc

/// The resources of the process.
struct Resources {
    var descriptors: Int
    var threads: Int
    var allocatedMiB: Int

    static var now: Resources {
        Resources(
            descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"), allocatedMiB: allocated())
    }

    private static func count(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Leaves out `.` and `..`.
        return count - 2
    }

    /// Allocated memory, as reported by the allocator. Resident memory says less: the allocator keeps freed memory, and
    /// more of it the longer the process runs.
    private static func allocated() -> Int {
        typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        var (text, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &size) else { return 0 }
        _ = unsafeBitCast(symbol, to: Info.self)(0, file)
        fclose(file)
        defer { free(text) }
        guard let text else { return 0 }
        // The last lines are the totals of all arenas.
        let lines = String(cString: text).split(separator: "\n")
        func bytes(_ kind: String) -> Int {
            let line = lines.last { $0.hasPrefix(kind) }
            return line?.split(separator: "\"").last { Int($0) != nil }.flatMap { Int($0) } ?? 0
        }
        let free = bytes("<total type=\"fast\"") + bytes("<total type=\"rest\"")
        return (bytes("<system type=\"current\"") - free + bytes("<total type=\"mmap\"")) >> 20
    }
}
