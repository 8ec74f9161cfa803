import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting

/// The clients of a world, and the network between them and the vendors. The network is bad from time to time.
final class Network: Sendable {
    private struct State {
        var links: [SimulatedLink] = []
        /// The number of current reasons for a bad network.
        var storms = 0
    }

    let simulation: Simulation
    /// The probability of a loss while the network is bad.
    let badness: Double
    /// Whether requests or responses may take up to half a minute.
    private let hasDelays: Bool
    private let good: SimulatedLink.Weather
    /// How long a connection may take to fail while the network is bad; nil for the usual time.
    private let timeToRefuse: Duration?
    private let onEvent: @Sendable (SimulatedLink.Event) -> Void
    private let state = Locked(State())

    init(
        _ simulation: Simulation, badness: Double, hasDelays: Bool = true,
        good: SimulatedLink.Weather = SimulatedLink.Weather(), timeToRefuse: Duration? = nil,
        onEvent: @escaping @Sendable (SimulatedLink.Event) -> Void = { _ in }
    ) {
        (self.simulation, self.badness, self.hasDelays, self.onEvent) = (simulation, badness, hasDelays, onEvent)
        (self.good, self.timeToRefuse) = (good, timeToRefuse)
    }

    /// Creates a client for a process.
    func client(
        of site: Site, in process: SimulatedProcess, restrict: (inout Capabilities) -> Void = { _ in },
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> PushClient {
        var configuration = ClientConfiguration()
        configuration.clock = process.clock
        configuration.random = simulation.random
        configure(&configuration)
        let link = SimulatedLink(process, to: site.host, state.withLock { weather($0) }, onEvent: onEvent)
        state.withLock { $0.links.append(link) }
        return PushClient(try site.vendor.provider(restrict), transport: link, configuration: configuration)
    }

    private func weather(_ state: State) -> SimulatedLink.Weather {
        var weather = good
        guard state.storms > 0 else { return weather }
        weather.timeToRefuse = timeToRefuse
        weather.refusals = badness / 2
        weather.lostRequests = badness / 3
        weather.lostAnswers = badness / 3
        weather.delays = hasDelays ? badness / 3 : 0
        weather.faults = (
            badness,
            [
                .throttle(reset: 3), .throttle(reset: 15), .serverError(status: 503), .serverError(status: 500),
                .html(status: 502),
                .actedThenLost, .truncated, .refusedStream, .goAway, .actedThenLate(.seconds(12)),
            ]
        )
        return weather
    }

    /// Makes the network bad for a time.
    func storm(for time: Duration) async {
        change(by: 1)
        await simulation.sleep(time)
        change(by: -1)
    }

    private func change(by storms: Int) {
        let (links, now) = state.withLock { state in
            state.storms += storms
            return (state.links, weather(state))
        }
        for link in links { link.setWeather(now) }
    }

    /// Waits for the requests in flight.
    func untilStill() async throws {
        await simulation.sleep(.seconds(120))
        let late = state.withLock { state in state.links.map(\.counts.underWay).reduce(0, +) }
        try require(late == 0, "\(late) requests are still under way")
    }
}
