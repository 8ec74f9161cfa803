import PushAdapter

/// The installations of a plan with their bindings. Copies no bindings, because a campaign has millions.
public struct RouteChoices: RandomAccessCollection, Sendable {
    /// One installation and its bindings.
    public struct Choice: Sendable {
        fileprivate let bindings: BindingPages
        /// The numbers of its bindings, the best first.
        fileprivate let ways: ArraySlice<Int>

        /// The binding that the message takes.
        public var binding: Binding { bindings[ways[ways.startIndex]] }
        /// The other bindings, the best first.
        public var others: [Binding] { ways.dropFirst().map { bindings[$0] } }
    }

    private var bindings = BindingPages()
    /// The binding numbers of all choices, one after the other.
    private var ways: [Int] = []
    /// Where the ways of each choice end.
    private var ends: [Int] = []

    init() {}

    /// Creates an empty list of choices between these bindings.
    init(of bindings: BindingPages, count: Int) {
        self.bindings = bindings
        ways.reserveCapacity(bindings.count)
        ends.reserveCapacity(count)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ends.count }

    public subscript(position: Int) -> Choice { Choice(bindings: bindings, ways: ways[range(of: position)]) }

    /// Adds an installation.
    mutating func append(_ ways: some Sequence<RouteRanks.Way>) {
        for way in ways { self.ways.append(way.index) }
        ends.append(self.ways.count)
    }

    /// The indices of an installation's ways; 0 is the chosen one.
    func ways(of choice: Int) -> Range<Int> { 0..<range(of: choice).count }

    func binding(_ choice: Int, _ way: Int) -> Binding { bindings[ways[range(of: choice).lowerBound + way]] }

    /// The route and the kind of target of the chosen way. Does not copy the binding.
    func routeAndKind(of choice: Int) -> (route: RouteName, kind: TargetKind) {
        let number = ways[range(of: choice).lowerBound]
        return (bindings.route(of: number), TargetKind(of: bindings.target(of: number)))
    }

    private func range(of choice: Int) -> Range<Int> { (choice == 0 ? 0 : ends[choice - 1])..<ends[choice] }
}

extension RouteChoices.Choice: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        left.binding == right.binding && left.others == right.others
    }
}

extension RouteChoices: CustomStringConvertible, CustomReflectable {
    /// Only the count; read the installations one by one.
    public var description: String { "\(count) installations" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RouteChoices.Choice: CustomStringConvertible, CustomReflectable {
    /// The chosen binding and the number of others.
    public var description: String { "\(binding), and \(ways.count - 1) others" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
