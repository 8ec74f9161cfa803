#if SQLite
    import FoundationEssentials
    import Glibc
    import PushAdapter

    /// Tells which process works on a store, and which processes load which campaigns. Each holds locks on bytes of a
    /// file. The kernel frees them when the process ends, so a dead process is known without a clock.
    final class ProcessLocks: Sendable {
        /// A byte of the file.
        enum Place {
            case worker
            case loader(Int64)

            fileprivate var byte: Int64 {
                switch self {
                case .worker: 0
                case .loader(let campaign): campaign
                }
            }
        }

        private struct State {
            /// The bytes that this open file has locked. The kernel would let it lock them again.
            var held: Set<Int64> = []
            var worker: Int64?
            var isClosed = false
        }

        /// These locks belong to the open file, not to the process, so two stores in one process exclude each other.
        private static let (setLock, getLock): (Int32, Int32) = (37, 36)
        /// Locks on these file systems may not reach other machines or programs.
        private static let remote: Set<Substring> = [
            "nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "ceph", "virtiofs", "lustre", "beegfs", "gpfs", "vboxsf",
        ]

        private let path: String
        private let descriptor: Int32
        private let state = Locked(State())

        /// Opens the lock file beside an existing database.
        init(beside database: String) throws(PushError) {
            // SQLite follows links too, so each path to one database leads to one lock file.
            guard let resolved = Self.realPath(of: database) else { throw Self.refusal(database + "-lock") }
            path = resolved + "-lock"
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.refusal(path) }
            // If root creates the file, the owner of the database gets it, so that an administrator's command does not
            // lock out the service. SQLite does the same with its files.
            var (mine, theirs) = (stat(), stat())
            if geteuid() == 0, fstat(descriptor, &mine) == 0, stat(resolved, &theirs) == 0, mine.st_uid == 0 {
                _ = fchown(descriptor, theirs.st_uid, theirs.st_gid)
            }
        }

        /// The path without links; nil if it does not exist.
        static func realPath(of path: String) -> String? {
            guard let resolved = realpath(path, nil) else { return nil }
            defer { Glibc.free(resolved) }
            return String(cString: resolved)
        }

        private static func refusal(_ path: String) -> PushError {
            PushError(
                .misconfigured, "the lock file \"\(path)\" cannot be opened: \(String(cString: strerror(errno)))")
        }

        /// Refuses a file on a network file system before anything is created there. For a missing file, checks its
        /// directory.
        /// - Parameter mounts: the kernel's list of file systems.
        static func checkDisk(of path: String, mounts: String? = nil) throws(PushError) {
            var file = stat()
            let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            guard stat(path, &file) == 0 || stat(directory, &file) == 0,
                let system = fileSystem(of: file, mounts ?? kernelMounts),
                remote.contains(system)
            else { return }
            throw PushError(
                .misconfigured, "\"\(path)\" is on a \(system) file system, which may not keep locks; use a local disk")
        }

        /// Refuses a missing database that a program still uses. It was moved and may come back, and a new one would
        /// take its place.
        static func checkNobody(has database: String) throws(PushError) {
            guard realPath(of: database) == nil else { return }
            let lock = open(database + "-lock", O_RDWR | O_CLOEXEC)
            guard lock >= 0 else { return }
            defer { Glibc.close(lock) }
            var all = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
            guard fcntl(lock, getLock, &all) != 0 || all.l_type != Int16(F_UNLCK) else { return }
            throw PushError(
                .misconfigured,
                "\(Redaction.quoted(database)) is gone, and a program works on it: it was moved or removed meanwhile; put it back, "
                    + "or end that program")
        }

        private static var kernelMounts: String {
            (try? String(contentsOf: URL(filePath: "/proc/self/mountinfo"), encoding: .utf8)) ?? ""
        }

        /// The kernel's name for the file system of a file, without any part after a dot; nil if the kernel has none.
        private static func fileSystem(of file: stat, _ mounts: String) -> Substring? {
            let (high, low) = (file.st_dev >> 8, file.st_dev)
            let device = "\(high & 0xFFF | file.st_dev >> 32 & ~0xFFF):\(low & 0xFF | low >> 12 & ~0xFF)"
            for line in mounts.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count > 4, words[2] == device, let dash = words.firstIndex(of: "-") else { continue }
                return words[dash + 1].prefix { $0 != "." }
            }
            return nil
        }

        deinit { Glibc.close(descriptor) }

        /// Whether this or another store holds a place.
        func isHeld(_ place: Place) -> Bool {
            state.withLock { $0.held.contains(place.byte) } || isHeldElsewhere(place)
        }

        /// Whether another store holds a place. True if the kernel does not answer.
        func isHeldElsewhere(_ place: Place) -> Bool {
            var lock = request(Int16(F_WRLCK), place)
            return fcntl(descriptor, Self.getLock, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
        }

        /// The process that holds a place; nil if no process holds it, or if this user may not see the process's open
        /// files. Looks at every process.
        func holder(of place: Place) -> Int32? {
            if state.withLock({ $0.held.contains(place.byte) }) { return getpid() }
            for process in Self.names(in: "/proc").compactMap({ Int32($0) }) {
                for file in Self.names(in: "/proc/\(process)/fd") where isOurs("/proc/\(process)/fd/\(file)") {
                    let facts = URL(filePath: "/proc/\(process)/fdinfo/\(file)")
                    let lines = (try? String(contentsOf: facts, encoding: .utf8))?.split(separator: "\n") ?? []
                    // For example `lock: 1: OFDLCK ADVISORY WRITE -1 08:01:4711 0 2`, which ends with the first and the
                    // last byte.
                    let isHolder = lines.contains { line in
                        let bytes = line.split(separator: " ").suffix(2).compactMap { Int64($0) }
                        return line.hasPrefix("lock:") && line.contains("OFDLCK") && bytes.count == 2
                            && bytes[0] <= place.byte && place.byte <= bytes[1]
                    }
                    if isHolder { return process }
                }
            }
            return nil
        }

        /// Whether a kernel link leads to the file that this store locks. Reads the link first, because following it
        /// may take long if it leads to another machine.
        private func isOurs(_ link: String) -> Bool {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path && isSameFile(link)
        }

        /// Whether a path leads to the file that this store locks.
        private func isSameFile(_ path: String) -> Bool {
            var (here, there) = (stat(), stat())
            return fstat(descriptor, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino
                && here.st_dev == there.st_dev
        }

        private static func names(in folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }

        /// Takes a place; false if it is taken.
        func hold(_ place: Place) throws(PushError) -> Bool {
            try checkFile()
            return try state.withLock { (state) throws(PushError) in
                guard !state.isClosed else { throw Self.closed }
                guard !state.held.contains(place.byte) else { return false }
                var lock = request(Int16(F_WRLCK), place)
                guard fcntl(descriptor, Self.setLock, &lock) == 0 else { return false }
                state.held.insert(place.byte)
                return true
            }
        }

        func free(_ place: Place) {
            state.withLock { state in
                guard state.held.remove(place.byte) != nil else { return }
                var lock = request(Int16(F_UNLCK), place)
                _ = fcntl(descriptor, Self.setLock, &lock)
            }
        }

        /// No place can be taken any more.
        func close() { state.withLock { $0.isClosed = true } }

        /// Frees all places of this store.
        func freeAll() {
            state.withLock { state in
                (state.held, state.worker) = ([], nil)
                var all = flock(l_type: Int16(F_UNLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
                _ = fcntl(descriptor, Self.setLock, &all)
            }
        }

        /// Refuses once the store was closed.
        func checkOpen() throws(PushError) { if state.withLock(\.isClosed) { throw Self.closed } }

        private static var closed: PushError { PushError(.stopped, "the store of the outbox was closed") }

        /// Whether a worker has the claim. Refuses if the file was deleted or replaced, because then another worker may
        /// have a claim too.
        func isClaimed(by worker: Int64) throws(PushError) -> Bool {
            try checkFile()
            return state.withLock { $0.worker == worker }
        }

        /// Gives a worker the claim; true also if it already has it.
        func claim(_ worker: Int64) throws(PushError) -> Bool {
            if state.withLock({ $0.worker == worker }) { return true }
            guard try hold(.worker) else { return false }
            state.withLock { $0.worker = worker }
            return true
        }

        func release(_ worker: Int64) {
            guard state.withLock({ $0.worker == worker }) else { return }
            state.withLock { $0.worker = nil }
            free(.worker)
        }

        /// Refuses if the file was deleted or replaced, because another process would lock the new one.
        private func checkFile() throws(PushError) {
            guard isSameFile(path) else {
                throw PushError(
                    .stopped, "the lock file \"\(path)\" was deleted or replaced; restart all programs that use it"
                )
            }
        }

        private func request(_ type: Int16, _ place: Place) -> flock {
            flock(l_type: type, l_whence: Int16(SEEK_SET), l_start: Int(place.byte), l_len: 1, l_pid: 0)
        }
    }
#endif
