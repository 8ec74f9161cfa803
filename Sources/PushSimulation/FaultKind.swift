/// A fault as people name it, with the number that it may take: `throttle`, or `throttle=2`.
package struct FaultKind: Sendable {
    package let name: String
    /// The numbers that it may have; nil if it takes none.
    package let values: ClosedRange<Int>?
    /// The number that it has if none is given.
    package let usual: Int
    /// The effect of the fault, for people.
    package let words: String
    /// Whether it is a fault of HTTP/2: a refused stream, or GOAWAY. Over HTTP/1.1, the connection only closes.
    package let needsHTTP2: Bool
    private let make: @Sendable (Int) -> Fault

    private init(
        _ name: String, _ words: String, _ values: ClosedRange<Int>? = nil, usual: Int = 0, needsHTTP2: Bool = false,
        _ make: @escaping @Sendable (Int) -> Fault
    ) {
        self.name = name
        self.words = words
        self.needsHTTP2 = needsHTTP2
        self.values = values
        self.usual = usual
        self.make = make
    }

    /// The fault with a number, which must be one of ``values``; nil for the usual one.
    package func fault(_ value: Int? = nil) -> Fault { make(value ?? usual) }

    /// All kinds, those without an effect at the vendor first.
    package static let all = [
        FaultKind("throttle", "The vendor throttles", 1...3600, usual: 1) { .throttle(reset: $0) },
        FaultKind("error", "The vendor fails internally", 500...599, usual: 500) { .serverError(status: $0) },
        FaultKind("html", "A proxy answers with a page", 200...599, usual: 502) { .html(status: $0) },
        FaultKind("silence", "The vendor never answers") { _ in .silence },
        FaultKind("refuse", "The server refuses the stream", needsHTTP2: true) { _ in .refusedStream },
        FaultKind("goaway", "The server says GOAWAY instead", needsHTTP2: true) { _ in .goAway },
        FaultKind("lost", "The vendor acts, the answer is lost") { _ in .actedThenLost },
        FaultKind("late", "The vendor acts, the answer is late", 1...3600, usual: 15) { .actedThenLate(.seconds($0)) },
        FaultKind("truncated", "The vendor acts, the answer is cut off") { _ in .truncated },
        FaultKind("hangup", "The vendor acts, then hangs up", 0...1_000_000) { .hangUp(afterBytes: $0) },
        FaultKind("drip", "The answer comes byte by byte", 1...10_000, usual: 10) { .drip(.milliseconds($0)) },
        FaultKind("oversize", "The answer is far too long", 1...1_000_000_000, usual: 4 << 20) {
            .oversize(bytes: $0)
        },
    ]

    /// The kind with a name, nil for none.
    package static func named(_ name: String) -> FaultKind? { all.first { $0.name == name } }
}

extension SimulatorHost {
    /// The kinds of faults that fit the simulator.
    package var faultKinds: [FaultKind] { FaultKind.all.filter { misfit(of: $0) == nil } }

    /// Why a kind of fault does not fit the simulator, for people; nil for one that does.
    package func misfit(of kind: FaultKind) -> String? {
        guard kind.needsHTTP2, http2Simulator == nil else { return nil }
        return "\(kind.name) is a fault of HTTP/2, and \(simulator.vendor) does not demand HTTP/2; take another, "
            + "such as silence"
    }
}

extension Fault {
    /// The fault as people write it: its name, and its number if it has one.
    package var words: String {
        switch self {
        case .throttle(nil): "throttle"
        case .throttle(let reset?): "throttle=\(reset)"
        case .serverError(let status): "error=\(status)"
        case .html(let status): "html=\(status)"
        case .answer(let response): "answer=\(response.status)"
        case .silence: "silence"
        case .actedThenLost: "lost"
        case .actedThenLate(let time): "late=\(time.components.seconds)"
        case .truncated: "truncated"
        case .hangUp(let bytes): "hangup=\(bytes)"
        case .drip(let pause): "drip=\(Int(pause / .milliseconds(1)))"
        case .oversize(let bytes): "oversize=\(bytes)"
        case .refusedStream: "refuse"
        case .goAway: "goaway"
        }
    }
}
