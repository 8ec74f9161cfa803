public import FoundationEssentials
public import PushCore

/// A vendor that calls a backend back: delivery receipts, clicks.
///
/// It makes no calls itself, as it has no network: it says which are due, and is told what came of each.
public protocol CallbackSimulator: VendorSimulator {
    /// Hands over calls that are due at a moment, each once, and no more than so many.
    func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback]
    /// Is told the backend's answer to a call, nil for none in time; decides whether the call is made again.
    func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async
    /// When the next call is due; nil when none is left.
    func nextCallback() async -> Date?
}

/// A call of a vendor to a backend.
public struct OutgoingCallback: Sendable, Hashable {
    /// The vendor's own number for it, the same when it is made again.
    public var number: Int
    /// Which try it is, from 1.
    public var attempt: Int
    /// Where the backend listens.
    public var url: String
    /// The header fields, without the content type.
    public var headers: HTTPFields
    /// A JSON text.
    public var body: [UInt8]
    /// How long the vendor waits for the answer.
    public var timeout: Duration

    /// A call to an address, to be posted as JSON.
    public init(
        number: Int, attempt: Int = 1, url: String, headers: HTTPFields = [:], body: [UInt8], timeout: Duration
    ) {
        self.number = number
        self.attempt = attempt
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// Makes the calls of a vendor, over any transport and on any clock: on a virtual one the hours between two tries take
/// no time.
public struct CallbackCourier: Sendable {
    /// A call that was made, and the status of the backend's answer; nil for none in time.
    public typealias Visit = (callback: OutgoingCallback, status: Int?)

    private let simulator: any CallbackSimulator
    private let transport: any HTTPTransport
    private let clock: any PushClock

    /// - Parameters:
    ///   - simulator: the vendor whose calls are made.
    ///   - transport: the way to the backend; not shut down here.
    ///   - clock: the vendor's time, which its ladder of repetitions goes by.
    public init(_ simulator: any CallbackSimulator, transport: any HTTPTransport, clock: any PushClock) {
        self.simulator = simulator
        self.transport = transport
        self.clock = clock
    }

    /// Makes every call that is due, waits for those that become due, and returns when none is left, or when the task
    /// is cancelled.
    /// - Parameter limit: the most calls to make.
    public func run(upTo limit: Int = 1000) async -> [Visit] {
        var visits: [Visit] = []
        while visits.count < limit, !Task.isCancelled {
            guard let callback = await simulator.takeCallbacks(1, at: clock.date).first else {
                guard let next = await simulator.nextCallback() else { break }
                let wait = max(0.001, next.timeIntervalSince(clock.date))
                do { try await clock.sleep(for: .seconds(wait)) } catch { break }
                continue
            }
            visits.append((callback, await make(callback)))
        }
        return visits
    }

    private func make(_ callback: OutgoingCallback) async -> Int? {
        let request = TransportRequest(
            method: .post, url: callback.url, headers: callback.headers,
            body: .json(callback.body), timeout: callback.timeout)
        let answer = try? await transport.send(request)
        await simulator.noteAnswer(
            answer.map { SimulatedResponse(status: $0.status, headers: $0.headers, body: $0.body) }, to: callback,
            at: clock.date)
        return answer?.status
    }
}
