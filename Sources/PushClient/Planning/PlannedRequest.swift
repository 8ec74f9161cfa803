import PushAdapter

/// A request of a plan, without its decoder.
struct PlannedRequest: Sendable {
    let operation: Feature
    let request: WireRequest
    let charges: [QuotaCharge]
    /// Targets of the request; 0 where it has no list.
    var targetCount = 0
    /// How many requests are the same except for their targets.
    var count = 1
    var note: String?

    init<Output>(_ exchange: Exchange<Output>, targetCount: Int = 0, note: String? = nil) {
        operation = exchange.operation
        request = exchange.request
        charges = exchange.charges
        self.targetCount = targetCount
        self.note = note
    }
}

extension PushClient {
    /// A plan of one request.
    func planRequest<Output: Sendable>(
        _ feature: Feature, _ make: @autoclosure () throws(PushError) -> Exchange<Output>?
    ) throws(PushError) -> Plan<Output> {
        let exchange = try request(feature, try make())
        return Plan(requests: [PlannedRequest(exchange)]) { (deadline) throws(PushError) in
            try await self.runPlanned(exchange, within: deadline)
        }
    }

    /// Makes a request and checks its feature and inputs. The only way from a role to a plan.
    /// - Parameter isCheckedSend: the message and its targets, which may be many, are already checked.
    func request<Output>(
        _ feature: Feature, isCheckedSend: Bool = false,
        _ make: @autoclosure () throws(PushError) -> Exchange<Output>?
    ) throws(PushError) -> Exchange<Output> {
        try require(feature)
        guard let exchange = try make() else {
            throw PushError(.unsupported, "\(provider.id) declares \(feature) but has no call for it")
        }
        for input in exchange.inputs {
            switch input {
            case .message where isCheckedSend, .audience where isCheckedSend: continue
            default: try capabilities.check(input, of: provider.id)
            }
        }
        return exchange
    }
}
