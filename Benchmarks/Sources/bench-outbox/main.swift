import Foundation
import GRDB
import Load
import PushAPNs
import PushAdapter
import PushClient
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
// `fill STORE CAMPAIGNS`: enqueues campaigns of one target, a thousand in a transaction.
// `backlog STORE SECONDS`: sends a second while such campaigns wait, and the waits of urgent ones that come meanwhile.
// `submitted STORE CAMPAIGNS`: has a PostgreSQL store keep them as JSON, then plans and sends them; prints how many a second it
// planned, and sent meanwhile, and the seconds to the first byte.

let usage =
    "usage: bench-outbox enqueue|send|pushes|wake|recover|die|fill|backlog|submitted STORE [NUMBER [MILLISECONDS|SECONDS]]"
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
case "fill":
    let client = try jpush(over: InstantTransport())
    let outbox = PushOutbox(store, routes: ["jpush": client])
    let writer = try Filler(path, store)
    for start in stride(from: 0, to: count, by: 1_000) {
        var prepared: [PreparedCampaign] = []
        for number in start..<min(count, start + 1_000) {
            prepared.append(
                try await outbox.prepare(
                    Sample.message, to: [.audience(.devices([DeviceID(Sample.device(number))]), at: "jpush")],
                    as: CampaignName("fill-\(UUID().uuidString)")))
        }
        try writer.keep(prepared)
    }
    try writer.end()
    try Measure(requests: count, from: start, to: Usage()).report()
    await client.shutdown()
case "backlog":
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
    let run = UUID().uuidString
    let worker = Task { try await outbox.run() }
    while sent.withLock({ $0.count }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let began = ContinuousClock.now
    var waits: [Duration] = []
    while ContinuousClock.now - began < .seconds(count) {
        try await Task.sleep(for: .milliseconds(100))
        let number = waits.count
        var options = CampaignOptions()
        options.priority = .urgent
        try await outbox.enqueue(
            Message(notification: Notification(body: "urgent")),
            to: [.audience(.devices([DeviceID(Sample.device(number))]), at: "jpush")],
            as: CampaignName("urgent-\(number)-\(run)"), options: options)
        let enqueued = ContinuousClock.now
        while sent.withLock({ $0.urgent.count }) <= number { try await Task.sleep(for: .milliseconds(1)) }
        waits.append(max(.zero, sent.withLock { $0.urgent[number] } - enqueued))
    }
    let (total, time) = (sent.withLock(\.count), ContinuousClock.now - began)
    let left = try await !outbox.campaigns(in: [.active], limit: 1).isEmpty
    let listing = ContinuousClock.now
    _ = try await outbox.campaigns()
    let list = ContinuousClock.now - listing
    worker.cancel()
    try await worker.value
    guard left else { fatalError("all campaigns were sent; fill the store with more") }
    let sorted = waits.sorted()
    print(
        """
        {"perSecond":\(Int(Double(total) / (time / .seconds(1)))),\
        "urgentP99":\(Int(sorted[sorted.count * 99 / 100] / .milliseconds(1))),\
        "list":\(Int(list / .milliseconds(1)))}
        """)
    await client.shutdown()
case "submitted":
    let sent = Locked((count: 0, first: ContinuousClock.Instant?.none))
    let client = try jpush(
        over: NotingTransport { _ in
            sent.withLock { sent in
                sent.count += 1
                sent.first = sent.first ?? .now
            }
        })
    let outbox = PushOutbox(store, routes: ["jpush": client])
    let submitting = try Process.run(
        URL(filePath: "/usr/bin/env"),
        arguments: [
            "psql", "-X", "-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1", path, "-c",
            """
            SELECT pushbridge.outbox_enqueue(format('{"name": "order-%s", "message": {"notification": {"body": "sent"}},
                "to": [{"at": "jpush", "audience": {"devices": ["%s"]}}]}', i, '\(Sample.device(1))'))
            FROM generate_series(1, \(count)) i
            """,
        ])
    submitting.waitUntilExit()
    guard submitting.terminationStatus == 0 else { fatalError("psql refused it") }
    let began = ContinuousClock.now
    let worker = Task { try await outbox.run() }
    while try await !outbox.campaigns(in: [.submitted], limit: 1).isEmpty {
        try await Task.sleep(for: .milliseconds(100))
    }
    let time = (ContinuousClock.now - began) / .seconds(1)
    let (total, first) = sent.withLock { ($0.count, $0.first.map { ($0 - began) / .seconds(1) } ?? -1) }
    worker.cancel()
    try await worker.value
    print(
        """
        {"plannedPerSecond":\(Int(Double(count) / time)),"sentPerSecond":\(Int(Double(total) / time)),\
        "firstSent":\(first)}
        """)
    await client.shutdown()
case "die":
    let client = try jpush(over: NotingTransport { _ in kill(getpid(), SIGKILL) })
    try await PushOutbox(store, routes: ["jpush": client]).run()
default:
    print(usage)
    exit(64)
}

/// Keeps many campaigns in a transaction, as a program with a database of its own does.
struct Filler {
    private let file: (queue: DatabaseQueue, store: SQLiteOutboxStore)?
    private let server: (psql: Process, input: Pipe, store: PostgresOutboxStore)?

    init(_ path: String, _ store: any OutboxStore) throws {
        if let store = store as? PostgresOutboxStore {
            let (psql, input) = (Process(), Pipe())
            psql.executableURL = URL(filePath: "/usr/bin/env")
            psql.arguments = ["psql", "-X", "-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1", path]
            psql.standardInput = input
            try psql.run()
            (file, server) = (nil, (psql, input, store))
        } else if let store = store as? SQLiteOutboxStore {
            (file, server) = ((try DatabaseQueue(path: path), store), nil)
        } else {
            fatalError("a store in memory is filled by its own process only")
        }
    }

    func keep(_ prepared: [PreparedCampaign]) throws {
        try file?.queue.write { [file] db in for one in prepared { try file?.store.enqueue(one, in: db) } }
        guard let server else { return }
        var script = "BEGIN;\n"
        for one in prepared {
            let call = try server.store.statement(enqueuing: one)
            script += call.sql.replacing("$1", with: "$body$\(call.parameter)$body$") + ";\n"
        }
        try server.input.fileHandleForWriting.write(contentsOf: Data((script + "COMMIT;\n").utf8))
    }

    /// Waits until all is kept.
    func end() throws {
        try file?.queue.close()
        guard let server else { return }
        try server.input.fileHandleForWriting.close()
        server.psql.waitUntilExit()
        guard server.psql.terminationStatus == 0 else { fatalError("psql refused it") }
    }
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
