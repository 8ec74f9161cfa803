import Glibc
import Load
import PushClient
import PushCore
import PushJPush

// Plans and encodes a send to a file of device ids, one to a line; a vendor in memory accepts every slice.
// Usage: bench-million FILE

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

let path = CommandLine.arguments.dropFirst().first ?? ""
var jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
jpush.capabilities = jpush.capabilities.unmetered
// Without keys: they come from the vendor, and this measures only the list.
jpush.capabilities.support[.mintKeys] = .unsupported("left out of the benchmark")
let client = PushClient(jpush, transport: InstantTransport())

let start = Usage()
let report = try await client.send(Sample.message, toDevices: DeviceFile(path: path))
let end = Usage()
try Measure(
    requests: report.acceptedCount ?? 0, seconds: end.elapsed - start.elapsed, cpu: end.cpu - start.cpu,
    peakKB: end.peakKB
).report()
