public import PushAdapter
public import PushClient

/// Who a message is for.
public enum Recipients: Sendable, Hashable {
    /// All installations of these users.
    case users([UserID])
    /// These installations.
    case installations([InstallationID])
    /// These bindings; those of one installation are ways to it.
    case bindings([Binding])
    /// An audience that no installation can be told apart in, such as everyone, at these routes.
    case broadcast(Audience, at: [RouteName])
}

/// What a send would do: which route each installation takes, and what the vendors would refuse. The choice is frozen here:
/// a policy that changes later moves no installation in the middle of a campaign.
public struct RoutePlan: Sendable {
    /// What keeps a plan from being carried out as a whole.
    public struct Problem: Sendable, CustomStringConvertible {
        /// The route, where one is concerned.
        public var route: RouteName?
        /// The binding that cannot be used; nil if the route's vendor would refuse the message.
        public var binding: Binding?
        /// What is wrong.
        public var error: PushError

        public var description: String {
            (binding.map { "\($0): " } ?? route.map { "route \(Redaction.quoted($0.rawValue)): " } ?? "")
                + error.message
        }
    }

    /// The requests of one route, if its client made them now.
    public struct Share: Sendable {
        /// The route.
        public var route: RouteName
        /// Installations; 0 for a broadcast.
        public var count: Int
        /// The first request to each kind of target.
        public var explanations: [Explanation]
    }

    /// Recipients without a binding.
    public struct Unreachable: Sendable, Hashable {
        /// Users without bindings.
        public internal(set) var users: [UserID] = []
        /// Installations without bindings.
        public internal(set) var installations: [InstallationID] = []

        /// How many they are.
        public var count: Int { users.count + installations.count }

        mutating func note(_ recipients: [Planner.Asked]) {
            for recipient in recipients {
                switch recipient {
                case .user(let user): users.append(user)
                case .installation(let installation): installations.append(installation)
                }
            }
        }
    }

    /// The message.
    public let message: Message
    /// One for each installation, in the order of the recipients; none for a broadcast.
    public internal(set) var choices = RouteChoices()
    /// Users without any binding, and installations without one; nothing is sent to them.
    public internal(set) var unreachable = Unreachable()
    /// What is wrong: first the bindings that cannot be used, then what the vendors refuse.
    public internal(set) var problems: [Problem] = []
    /// One for each route, by name.
    public internal(set) var shares: [Share] = []
    /// What each route gets of a broadcast.
    var broadcasts: [RouteName: (message: Message, audience: Audience)] = [:]

    init(_ message: Message) { self.message = message }

    mutating func add(_ share: Share) {
        shares.append(share)
        for error in share.explanations.flatMap(\.refusals) {
            problems.append(Problem(route: share.route, error: error))
        }
    }

    /// Throws what keeps it from being carried out as a whole.
    func check() throws(PushError) {
        guard let first = problems.first else { return }
        var error = first.error
        let rest = problems.count - 1
        error.message = "\(first)" + (rest > 0 ? "; and \(rest) more problem\(rest == 1 ? "" : "s")" : "")
        error.message += "; nothing was sent"
        error.operation = .send
        throw error
    }
}

extension RoutePlan: CustomStringConvertible, CustomReflectable {
    /// Counts only; read the installations from the properties.
    public var description: String {
        let routes = shares.map { share in
            "\(Redaction.quoted(share.route.rawValue)): \(share.count == 0 ? "a broadcast" : "\(share.count)")"
        }
        return "\(routes.isEmpty ? "nothing to send" : routes.joined(separator: ", ")); "
            + "\(unreachable.count) unreachable, \(problems.count) problems"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
