public import PushAdapter
public import PushClient

/// The recipients of a message.
public enum Recipients: Sendable, Hashable {
    /// All installations of these users.
    case users([UserID])
    /// These installations.
    case installations([InstallationID])
    /// These bindings. The message takes one for each installation.
    case bindings([Binding])
    /// An audience whose installations cannot be told apart, such as everyone, at these routes.
    case broadcast(Audience, at: [RouteName])
}

/// The plan of a send: the route of each installation, and the vendors' refusals. The choice is fixed: a later change
/// of the policy moves no installation in the middle of a campaign.
public struct RoutePlan: Sendable {
    /// A reason why the plan cannot be carried out as a whole.
    public struct Problem: Sendable, CustomStringConvertible {
        /// The route that it concerns, if any.
        public var route: RouteName?
        /// The binding that cannot be used; nil if the route's vendor would refuse the message.
        public var binding: Binding?
        /// The error.
        public var error: PushError

        public var description: String {
            (binding.map { "\($0): " } ?? route.map { "route \(Redaction.quoted($0.rawValue)): " } ?? "")
                + error.message
        }
    }

    /// The requests that one route's client would make now.
    public struct Share: Sendable {
        /// The route.
        public var route: RouteName
        /// The number of installations; 0 for a broadcast.
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

        /// The number of recipients without a binding.
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
    /// A choice for each installation, in the order of the recipients; empty for a broadcast.
    public internal(set) var choices = RouteChoices()
    /// Users and installations without a binding. The send skips them.
    public internal(set) var unreachable = Unreachable()
    /// The problems: first unusable bindings, then refusals of vendors.
    public internal(set) var problems: [Problem] = []
    /// The share of each route, by name.
    public internal(set) var shares: [Share] = []
    /// The message and audience of a broadcast for each route.
    var broadcasts: [RouteName: (message: Message, audience: Audience)] = [:]

    init(_ message: Message) { self.message = message }

    mutating func add(_ share: Share) {
        shares.append(share)
        for error in share.explanations.flatMap(\.refusals) {
            problems.append(Problem(route: share.route, error: error))
        }
    }

    /// Throws the first problem, if there is one.
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
    /// Only counts; read the installations from the properties.
    public var description: String {
        let routes = shares.map { share in
            "\(Redaction.quoted(share.route.rawValue)): \(share.count == 0 ? "a broadcast" : "\(share.count)")"
        }
        return "\(routes.isEmpty ? "nothing to send" : routes.joined(separator: ", ")); "
            + "\(unreachable.count) unreachable, \(problems.count) problems"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
