import Foundation
import Load
import PushAPNs
import PushClient
import PushCore
import PushJPush
import PushOutbox
import PushOutboxPostgres
import PushOutboxSQLite
import SampleAPNs

// What an outbox costs, without the network. Each mode prints a `Measure`, and `wake` prints waits. STORE is `memory`, a file, or
// a database as `host=... user=...`.
// `enqueue STORE TARGETS`: keeps a campaign to this many device ids of JPush.
// `send STORE`: carries out what the store has, at a vendor that answers at once: slices of a thousand.
// `pushes STORE TARGETS MILLISECONDS`: enqueues, then one request for each target over APNs, answered after this time.
// `wake STORE CAMPAIGNS`: from the return of `enqueue` to the first byte, while a worker waits.
// `recover STORE DEATHS`: from the end of a worker whose request has left to the first byte of the next one. `die STORE` is that
// worker: it kills itself.
// `backlog STORE CAMPAIGNS SECONDS`: sends a second while this many campaigns of one target wait, and the waits of urgent ones that
// come meanwhile.
// `submitted STORE CAMPAIGNS SECONDS`: plans what `outbox_enqueue` has kept as JSON, beside sends; prints how many a second, and the
// seconds to the first byte.

let usage =
    "usage: bench-outbox enqueue|send|pushes|wake|recover|die|backlog|submitted STORE [TARGETS [MILLISECONDS|SECONDS]]"
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let mode = arguments.first else {
    print(usage)
    exit(64)
}
let path = arguments[1]
let count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
let store = try await openStore()
let start = Usage()

func openStore() async throws -> any OutboxStore {
    if path == "memory" { return MemoryOutboxStore() }
    if path.contains("=") {
        try await PostgresOutboxStore.migrate(path)
        return try await PostgresOutboxStore(path)
    }
    return try SQLiteOutboxStore(path: path)
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
    try Measure(requests: count, from: start, to: Usage()).report()
    await client.shutdown()
case "send":
    let client = try jpush(over: InstantTransport())
    let outbox = PushOutbox(store, routes: ["jpush": client])
    let slices = try await outbox.progress(now: "sale").slices[.ready] ?? 0
    try await outbox.runUntilIdle()
    let progress = try await outbox.progress(now: "sale")
    guard progress.state == .finished, progress.unknown == 0 else { fatalError("\(progress)") }
    try Measure(requests: slices, from: start, to: Usage()).report()
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
    try Measure(requests: count, from: enqueued, to: Usage()).report()
    await client.shutdown()
case "wake":
    let sent = Locked<[ContinuousClock.Instant]>([])
    let client = try jpush(over: NotingTransport { _ in sent.withLock { $0.append(.now) } })
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
    try printWaits(waits)
    await client.shutdown()
case "recover":
    let sent = Locked<ContinuousClock.Instant?>(nil)
    let client = try jpush(over: NotingTransport { _ in sent.withLock { $0 = $0 ?? .now } })
    let outbox = PushOutbox(store, routes: ["jpush": client])
    var waits: [Duration] = []
    for number in 0..<count {
        try await outbox.enqueue(
            Sample.message, to: [.audience(.devices([DeviceID(Sample.device(number))]), at: "jpush")],
            as: CampaignName("recover-\(number)"))
        let mortal = try Process.run(URL(filePath: CommandLine.arguments[0]), arguments: ["die", path])
        mortal.waitUntilExit()
        guard mortal.terminationStatus == SIGKILL else { fatalError("the worker did not end at its request") }
        let ended = ContinuousClock.now
        sent.withLock { $0 = nil }
        let worker = Task { try await outbox.run() }
        while sent.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(1)) }
        waits.append((sent.withLock { $0 } ?? .now) - ended)
        worker.cancel()
        try await worker.value
    }
    try printWaits(waits)
    await client.shutdown()
case "backlog":
    let seconds = arguments.count > 3 ? Int(arguments[3]) ?? 10 : 10
    let sent = Locked((count: 0, urgent: [ContinuousClock.Instant]()))
    let client = try jpush(
        over: NotingTransport { body in
            let isUrgent = body.contains(Array("urgent".utf8))
            sent.withLock { sent in
                sent.count += 1
                if isUrgent { sent.urgent.append(.now) }
            }
        })
    let outbox = PushOutbox(store, routes: ["jpush": client])
    @Sendable func enqueue(_ name: String, _ priority: CampaignOptions.Priority, _ number: Int) async throws {
        var options = CampaignOptions()
        options.priority = priority
        try await outbox.enqueue(
            Message(notification: Notification(body: priority == .urgent ? "urgent" : "hello")),
            to: [.audience(.devices([DeviceID(Sample.device(number))]), at: "jpush")], as: CampaignName(name),
            options: options)
    }
    let next = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
            group.addTask {
                func take() -> Int {
                    next.withLock { number -> Int in
                        number += 1
                        return number
                    }
                }
                while case let number = take(), number <= count {
                    try await enqueue("wait-\(number)", .normal, number)
                }
            }
        }
        try await group.waitForAll()
    }
    let began = ContinuousClock.now
    let worker = Task { try await outbox.run() }
    var waits: [Duration] = []
    var total = 0
    while ContinuousClock.now - began < .seconds(seconds) {
        try await Task.sleep(for: .milliseconds(100))
        total = sent.withLock(\.count)
        guard total < count else { break }
        let number = waits.count
        try await enqueue("urgent-\(number)", .urgent, number)
        let enqueued = ContinuousClock.now
        while sent.withLock({ $0.urgent.count }) <= number { try await Task.sleep(for: .milliseconds(1)) }
        waits.append(max(.zero, sent.withLock { $0.urgent[number] } - enqueued))
    }
    let time = ContinuousClock.now - began
    let listing = ContinuousClock.now
    _ = try await outbox.campaigns()
    let list = ContinuousClock.now - listing
    worker.cancel()
    try await worker.value
    let sorted = waits.sorted()
    let p99 = sorted.isEmpty ? .zero : sorted[sorted.count * 99 / 100]
    print(
        "{\"waiting\":\(count),\"perSecond\":\(Int(Double(total) / (time / .seconds(1)))),\"urgentP99\":\(Int(p99 / .milliseconds(1))),\"list\":\(Int(list / .milliseconds(1)))}"
    )
    await client.shutdown()
case "submitted":
    let seconds = arguments.count > 3 ? Int(arguments[3]) ?? 60 : 60
    let sent = Locked((count: 0, first: ContinuousClock.Instant?.none))
    let client = try jpush(
        over: NotingTransport { _ in
            sent.withLock { sent in
                sent.count += 1
                sent.first = sent.first ?? .now
            }
        })
    let outbox = PushOutbox(store, routes: ["jpush": client])
    let began = ContinuousClock.now
    let worker = Task { try await outbox.run() }
    while ContinuousClock.now - began < .seconds(seconds),
        try await !outbox.campaigns(in: [.submitted], limit: 1).isEmpty
    {
        try await Task.sleep(for: .milliseconds(100))
    }
    let time = ContinuousClock.now - began
    let (total, first) = sent.withLock { ($0.count, $0.first.map { $0 - began }) }
    worker.cancel()
    try await worker.value
    print(
        "{\"submitted\":\(count),\"seconds\":\(time / .seconds(1)),\"sent\":\(total),\"firstSent\":\((first ?? .zero) / .seconds(1))}"
    )
    await client.shutdown()
case "die":
    let client = try jpush(over: NotingTransport { _ in kill(getpid(), SIGKILL) })
    try await PushOutbox(store, routes: ["jpush": client]).run()
default:
    print(usage)
    exit(64)
}

/// Prints the median and the 99th percentile in milliseconds.
func printWaits(_ waits: [Duration]) throws {
    let sorted = waits.sorted()
    let milliseconds = [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100]].map { $0 / .milliseconds(1) }
    print(String(decoding: try JSONEncoder().encode(milliseconds), as: UTF8.self))
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

/// A vendor that answers at once, and says when it was asked for a push, with the body.
struct NotingTransport: HTTPTransport {
    let note: @Sendable ([UInt8]) -> Void

    init(_ note: @escaping @Sendable ([UInt8]) -> Void) { self.note = note }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        if request.method == .post, case .bytes(let body, _) = request.body { note(body) }
        return try await InstantTransport().send(request)
    }

    func shutdown() async {}
}
