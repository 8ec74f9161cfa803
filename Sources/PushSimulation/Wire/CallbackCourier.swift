public import FoundationEssentials
public import PushAdapter

/// A vendor that sends callbacks to a backend: delivery receipts, clicks.
///
/// It sends nothing itself, as it has no network: it lists the callbacks that are due, and takes the result of each.
public protocol CallbackSimulator: VendorSimulator {
    /// Returns the callbacks that are due at a moment, each once, and at most `most`.
    func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback]
    /// Takes the backend's response to a callback, nil for none in time; decides whether to retry the callback.
    func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async
    /// When the next callback is due; nil when none is left.
    func nextCallback() async -> Date?
}

/// A vendor that says only by a receipt that an app was removed: it accepts messages to the device all the same.
public protocol ReceiptSimulator: CallbackSimulator {
    /// Removes the app from a device, or puts it back.
    func setGone(_ isGone: Bool, _ device: String, at now: Date) async
}

/// A callback from a vendor to a backend.
public struct OutgoingCallback: Sendable, Hashable {
    /// The vendor's own number for it, the same on a retry.
    public var number: Int
    /// The number of the attempt, from 1.
    public var attempt: Int
    /// Where the backend listens.
    public var url: String
    /// The header fields, without the content type.
    public var headers: HTTPFields
    /// The content type of the body.
    public var contentType = "application/json"
    /// The body: JSON, unless the content type says otherwise.
    public var body: [UInt8]
    /// How long the vendor waits for the response.
    public var timeout: Duration

    /// A callback to an address, posted as JSON unless you change its content type.
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

/// Sends a vendor's callbacks, over any transport and on any clock. On a virtual clock, the hours between two attempts
/// take no time.
public struct CallbackCourier: Sendable {
    /// A callback that was sent, and the status of the backend's response; nil for none in time.
    public typealias Visit = (callback: OutgoingCallback, status: Int?)

    private let simulator: any CallbackSimulator
    private let transport: any HTTPTransport
    private let clock: any PushClock

    /// - Parameters:
    ///   - simulator: the vendor whose callbacks are sent.
    ///   - transport: the way to the backend; not shut down here.
    ///   - clock: the vendor's clock, which times its retries.
    public init(_ simulator: any CallbackSimulator, transport: any HTTPTransport, clock: any PushClock) {
        self.simulator = simulator
        self.transport = transport
        self.clock = clock
    }

    /// Sends every callback that is due, waits for those that become due, and returns when none is left, or when the
    /// task is cancelled.
    /// - Parameter limit: the most callbacks to send.
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
            body: .bytes(callback.body, contentType: callback.contentType), timeout: callback.timeout)
        let answer = try? await transport.send(request)
        await simulator.noteAnswer(
            answer.map { SimulatedResponse(status: $0.status, headers: $0.headers, body: $0.body) }, to: callback,
            at: clock.date)
        return answer?.status
    }
}
