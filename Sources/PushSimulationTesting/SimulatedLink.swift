public import PushAdapter
public import PushSimulation

/// A connection from a process to a vendor's simulated server. It takes time, and loses requests and answers.
///
/// A request that has left the process proceeds without it.
public struct SimulatedLink: HTTPTransport {
    /// Faults of the network.
    public struct Weather: Sendable {
        /// The longest usual time for a request or its answer to arrive. With zero, they arrive at once.
        public var latency = Duration.milliseconds(30)
        /// The probability that there is no connection, so that nothing leaves.
        public var refusals = 0.0
        /// The longest time until it is clear that there is no connection, besides the usual time; nil for none.
        public var timeToRefuse: Duration?
        /// The probability that a request is lost on its way.
        public var lostRequests = 0.0
        /// The probability that the vendor acts, but its answer is lost.
        public var lostAnswers = 0.0
        /// The probability that a request or its answer takes up to half a minute.
        public var delays = 0.0
        /// The probability of a fault at the server, and the faults to choose from.
        public var faults: (probability: Double, kinds: [Fault]) = (0, [])

        /// A good network.
        public init() {}
    }

    /// An event of a request.
    public enum Event: Sendable {
        /// It leaves the process.
        case left(TransportRequest)
        /// It has its answer, or an error instead.
        case ended(TransportRequest, Result<WireResponse, PushError>)
    }

    /// The counts of a link.
    public struct Counts: Sendable, Hashable {
        /// Requests that left the process.
        public var left = 0
        /// Requests whose answer has not come back yet.
        public var underWay = 0
    }

    private typealias Answer = Result<WireResponse, PushError>

    private struct State {
        var weather: Weather
        var counts = Counts()
        var isShutDown = false
        /// Requests that wait for an answer.
        var waiting: [Int: Pending<Answer>] = [:]
        var lastNumber = 0
    }

    private let process: SimulatedProcess
    private let host: SimulatorHost
    private let inner: InProcessTransport
    private let onEvent: @Sendable (Event) -> Void
    private let state: Locked<State>
    private var simulation: Simulation { process.simulation }

    /// Creates a link from a process to a host, which should have the simulation's clock.
    /// - Parameters:
    ///   - process: the process whose requests it carries.
    ///   - host: the vendor's simulated server.
    ///   - weather: how often requests and answers are lost or late.
    ///   - onEvent: receives the events of each request.
    public init(
        _ process: SimulatedProcess, to host: SimulatorHost, _ weather: Weather = Weather(),
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.process, self.host, self.onEvent) = (process, host, onEvent)
        inner = InProcessTransport(host)
        state = Locked(State(weather: weather))
    }

    /// Sets the weather from now on.
    public func setWeather(_ weather: Weather) { state.withLock { $0.weather = weather } }

    /// The counts so far.
    public var counts: Counts { state.withLock(\.counts) }

    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try await send(request, beforeWriting: {})
    }

    public func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        await process.pass()
        let (weather, random, clock) = (state.withLock(\.weather), simulation.random, process.clock)
        let end = clock.elapsed + request.timeout
        // The time to connect.
        try await wait(weather.latency * random.fraction(), until: end, effect: .notApplied)
        guard random.fraction() >= weather.refusals else {
            if let time = weather.timeToRefuse {
                try await wait(time * random.fraction(), until: end, effect: .notApplied)
            }
            throw PushError(.transport, "no connection to the vendor; nothing was sent", retry: .backoff)
        }
        var askedAt: Duration
        repeat {
            askedAt = clock.elapsed
            try await mayLeave()
            await process.pass()
        } while clock.elapsed - askedAt >= TransportRequest.longestLeave
        guard clock.elapsed < end else { throw Self.timedOut(.notApplied) }
        guard !Task.isCancelled, !state.withLock(\.isShutDown) else {
            throw PushError(.cancelled, "cancelled before the request was sent")
        }
        onEvent(.left(request))
        let response = try await exchange(request, weather, until: end)
        await process.pass()
        return response
    }

    private func wait(_ time: Duration, until end: Duration, effect: PushError.Effect) async throws(PushError) {
        let clock = process.clock
        if time > .zero {
            do { try await clock.sleep(for: min(time, end - clock.elapsed)) } catch {
                throw PushError(.cancelled, "cancelled on the way", effect: effect)
            }
        }
        await process.pass()
        guard clock.elapsed < end else { throw Self.timedOut(effect) }
    }

    private static func timedOut(_ effect: PushError.Effect) -> PushError {
        PushError(.timeout, "no response in time", retry: .backoff, effect: effect)
    }

    /// Sends a request and waits for its answer. The request proceeds even if the process ends.
    private func exchange(
        _ request: TransportRequest, _ weather: Weather, until end: Duration
    ) async throws(PushError) -> WireResponse {
        let answer = Pending<Answer>()
        let (simulation, random, inner, host, state) = (simulation, simulation.random, inner, host, state)
        let number = state.withLock { state in
            state.counts.left += 1
            state.counts.underWay += 1
            state.lastNumber += 1
            state.waiting[state.lastNumber] = answer
            return state.lastNumber
        }
        process.leave {
            func way() async {
                let isLong = random.fraction() < weather.delays
                let time = (isLong ? .seconds(30) : weather.latency) * random.fraction()
                if time > .zero { await simulation.sleep(time) }
            }
            await way()
            if random.fraction() >= weather.lostRequests {
                if random.fraction() < weather.faults.probability, !weather.faults.kinds.isEmpty {
                    let index = Int(random.next() % UInt64(weather.faults.kinds.count))
                    host.faults.add(weather.faults.kinds[index], path: request.path)
                }
                let response: Answer
                do throws(PushError) { response = .success(try await inner.send(request)) } catch {
                    response = .failure(error)
                }
                await way()
                if random.fraction() >= weather.lostAnswers { answer.set(response) }
            }
            state.withLock { $0.counts.underWay -= 1 }
        }
        process.leave {
            await simulation.sleep(end - simulation.clock.elapsed)
            answer.set(.failure(Self.timedOut(.unknown)))
        }
        let said = await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            answer.set(Self.cancelled)
        }
        state.withLock { $0.waiting[number] = nil }
        onEvent(.ended(request, said))
        return try said.get()
    }

    public func retire(_ connection: Int) { inner.retire(connection) }
    public func retire(group: String) { inner.retire(group: group) }
    public func shutdown() async {
        let waiting = state.withLock { state in
            state.isShutDown = true
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for answer in waiting { answer.set(Self.cancelled) }
    }

    private static let cancelled = Answer.failure(PushError(.cancelled, "cancelled on the way", effect: .unknown))
}

extension TransportRequest {
    /// The path without host and query.
    fileprivate var path: String {
        String(url.dropFirst(InProcessTransport.origin.count).prefix { $0 != "?" })
    }
}

/// A value that is set once, later.
final class Pending<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: UnsafeContinuation<Value, Never>?
    }

    private let state = Locked(State())

    func set(_ value: Value) {
        let waiter = state.withLock { state -> UnsafeContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            return state.waiter
        }
        waiter?.resume(returning: value)
    }

    /// Only one task may wait for it.
    var value: Value {
        get async {
            await withUnsafeContinuation { waiter in
                let value = state.withLock { state in
                    if state.value == nil { state.waiter = waiter }
                    return state.value
                }
                if let value { waiter.resume(returning: value) }
            }
        }
    }
}
