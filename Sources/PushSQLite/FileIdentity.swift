#if SQLite
    import Glibc
    package import PushAdapter

    /// Identifies the file and the write-ahead log that a store has open. SQLite keeps using its open files even if
    /// other files now have their names. Then a program that opens those names later does not find its writes.
    package final class FileIdentity: Sendable {
        /// The file at a path.
        struct Place: Equatable {
            let device: UInt64
            let number: UInt64

            init?(_ path: String) {
                var facts = stat()
                guard stat(path, &facts) == 0 else { return nil }
                (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
            }
        }

        private let path: String
        private let file: Place?
        /// Nil until SQLite has created the log.
        private let log = Locked<Place?>(nil)

        package init(of path: String) {
            self.path = path
            file = Place(path)
            log.withLock { $0 = Place(path + "-wal") }
        }

        /// Refuses with `stopped` if the file or its log was moved, removed or replaced.
        package func check() throws(PushError) {
            guard let file, Place(path) == file else { throw refusal(path) }
            let log = self.log.withLock { log in
                log = log ?? Place(path + "-wal")
                return log
            }
            guard log == nil || Place(path + "-wal") == log else { throw refusal(path + "-wal") }
        }

        private func refusal(_ path: String) -> PushError {
            PushError(
                .stopped,
                "\(Redaction.quoted(path)) was moved, removed or replaced while it was open; put it back with its -wal, and "
                    + "restart all programs that use it")
        }
    }
#endif
