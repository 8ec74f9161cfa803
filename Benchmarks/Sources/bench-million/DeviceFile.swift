import Glibc
import PushAdapter

/// The lines of a file as device ids.
struct DeviceFile: AsyncSequence, Sendable {
    let path: String

    func makeAsyncIterator() -> Iterator { Iterator(path) }

    final class Iterator: AsyncIteratorProtocol {
        private let file: UnsafeMutablePointer<FILE>?
        private var line: UnsafeMutablePointer<CChar>?
        private var capacity = 0

        init(_ path: String) { file = fopen(path, "r") }

        deinit {
            if let file { fclose(file) }
            free(line)
        }

        func next() async -> DeviceID? {
            guard let file, case let count = getline(&line, &capacity, file), count > 1, let line else { return nil }
            return DeviceID(String(decoding: UnsafeRawBufferPointer(start: line, count: count - 1), as: UTF8.self))
        }
    }
}
