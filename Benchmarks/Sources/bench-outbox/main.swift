import Foundation
import Load
import PushAPNs
import PushClient
import PushCore
import PushJPush
import PushOutbox
import PushOutboxSQLite
import SampleAPNs

// What an outbox costs, without the network. Each mode prints its time, its processor time and its peak memory.
// `enqueue FILE TARGETS`: keeps a campaign to this many device ids of JPush.
// `send FILE`: carries out what the file has, at a vendor that answers at once: slices of a thousand.
// `pushes FILE|memory TARGETS MILLISECONDS`: enqueues, then one request for each target over APNs, answered after this time.
// `wake FILE CAMPAIGNS`: from the return of `enqueue` to the first byte, while a worker waits.

let usage = "usage: bench-outbox enqueue|send|pushes|wake FILE [TARGETS [MILLISECONDS]]"
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let mode = arguments.first else {
    print(usage)
    exit(64)
}
let path = arguments[1]
let count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
let store: any OutboxStore = path == "memory" ? MemoryOutboxStore() : try SQLiteOutboxStore(path: path)
let start = Usage()

/// Of the file, without its log, whose pages the next checkpoint moves into it.
func fileSize() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }

func line(_ what: String, since start: Usage) {
    let end = Usage()
    print(
        what + ",", "\((end.elapsed - start.elapsed).rounded(to: 2)) s,",
        "CPU \((end.cpu - start.cpu).rounded(to: 2)) s,",
        "peak memory \(end.peakKB / 1024) MiB")
}

func jpush(over transport: some HTTPTransport) throws -> PushClient {
    var jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
    jpush.capabilities = jpush.capabilities.unmetered
    return PushClient(jpush, transport: transport)
}

/// A stream of ids that holds none of them.
func devices(_ count: Int, _ make: @escaping @Sendable (Int) -> String) -> AsyncStream<DeviceID> {
    AsyncStream(unfolding: { [next = Locked(0)] in
        next.withLock { number -> DeviceID? in
            defer { number += 1 }
            return number < count ? DeviceID(make(number)) : nil
        }
    })
}

switch mode {
case "enqueue":
    let client = try jpush(over: InstantTransport())
    let outbox = PushOutbox(store, routes: ["jpush": client])
    try await outbox.enqueue(Sample.message, to: [.devices(devices(count, Sample.device), at: "jpush")], as: "sale")
    let share = Double(fileSize()) / Double(count * Sample.device(0).utf8.count)
    line("\(count) targets enqueued, \(share.rounded(to: 2)) times their bytes in the file", since: start)
    await client.shutdown()
case "send":
    let client = try jpush(over: InstantTransport())
    let outbox = PushOutbox(store, routes: ["jpush": client])
    let slices = try await outbox.progress(now: "sale").slices[.ready] ?? 0
    let size = fileSize()
    try await outbox.runUntilIdle()
    let progress = try await outbox.progress(now: "sale")
    guard progress.state == .finished, progress.unknown == 0 else { fatalError("\(progress)") }
    let seconds = Usage().elapsed - start.elapsed
    line("\(slices) slices sent, \(Int(Double(slices) / seconds)) a second, \(size) bytes before", since: start)
    await client.shutdown()
case "pushes":
    guard arguments.count > 3, let delay = Int(arguments[3]) else {
        print(usage)
        exit(64)
    }
    var apns = try APNs.sample(at: "https://127.0.0.1:1")
    apns.capabilities = apns.capabilities.unmetered
    let client = PushClient(apns, transport: LateTransport(delay: .milliseconds(delay)))
    let outbox = PushOutbox(store, routes: ["apns": client])
    try await outbox.enqueue(
        try Sample.push(for: apns), to: [.devices(devices(count, Sample.token), at: "apns")], as: "pushes")
    let enqueued = Usage()
    try await outbox.runUntilIdle()
    let progress = try await outbox.progress(now: "pushes")
    guard progress.state == .finished, progress.accepted == count else { fatalError("\(progress)") }
    let seconds = Usage().elapsed - enqueued.elapsed
    line("\(count) pushes, \(Int(Double(count) / seconds)) a second", since: enqueued)
    await client.shutdown()
case "wake":
    let sent = Locked<[ContinuousClock.Instant]>([])
    let client = try jpush(over: NotingTransport { sent.withLock { $0.append(.now) } })
    let outbox = PushOutbox(store, routes: ["jpush": client])
    let worker = Task { try await outbox.run() }
    var waits: [Duration] = []
    for number in 0..<count {
        try await Task.sleep(for: .milliseconds(Int.random(in: 20...270)))
        let name = CampaignName("wake-\(number)")
        try await outbox.enqueue(
            Sample.message, to: [.audience(.devices([DeviceID(Sample.device(number))]), at: "jpush")], as: name)
        let enqueued = ContinuousClock.now
        while sent.withLock({ $0.count }) <= number { try await Task.sleep(for: .milliseconds(1)) }
        waits.append(max(.zero, sent.withLock { $0[number] } - enqueued))
    }
    worker.cancel()
    try await worker.value
    waits.sort()
    line("\(count) campaigns, median \(waits[count / 2]), p99 \(waits[count * 99 / 100])", since: start)
    await client.shutdown()
default:
    print(usage)
    exit(64)
}

/// A vendor that accepts every push after a time.
struct LateTransport: HTTPTransport {
    let delay: Duration
    var concurrency: Int? { 1_000 }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try? await Task.sleep(for: delay)
        var response = WireResponse(status: 200)
        if let id = HTTPField.Name("apns-id") { response.headers[id] = request.headers[id] }
        return response
    }

    func shutdown() async {}
}

/// A vendor that answers at once, and says when it was asked for a push.
struct NotingTransport: HTTPTransport {
    let note: @Sendable () -> Void

    init(_ note: @escaping @Sendable () -> Void) { self.note = note }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        if request.method == .post { note() }
        return try await InstantTransport().send(request)
    }

    func shutdown() async {}
}

extension Double {
    func rounded(to digits: Int) -> Double {
        let factor = pow(10, Double(digits))
        return (self * factor).rounded() / factor
    }
}
