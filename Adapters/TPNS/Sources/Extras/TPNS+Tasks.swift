public import PushAdapter

extension TPNS {
    /// `POST /v3/push/stop_push_msg`: stops the delivery of a push to offline Android devices. For pushes to everyone,
    /// account lists and tags. Refuses an iOS app with `unsupported`.
    public func stop(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        guard platform == .android else {
            throw PushError(
                .unsupported, "TPNS stops the offline delivery of Android pushes only", operation: .tpnsStop)
        }
        return try task(.tpnsStop, "stop_push_msg", message, .idempotent)
    }

    /// `POST /v3/push/cancel_timing_task`: cancels a push with a `sendTime`, or a loop that has not begun. For pushes
    /// to everyone, tags and account packages.
    public func cancel(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        try task(.tpnsCancel, "cancel_timing_task", message, .idempotent)
    }

    /// `POST /v3/push/revoke_push_msg`: recalls a push. The vendor documents the call as being upgraded and not
    /// available, so it is refused with `unsupported` unless ``allowsRecall`` is set. The client does not retry after a
    /// lost response.
    public func recall(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        guard allowsRecall else {
            throw PushError(
                .unsupported,
                "the vendor documents recall as not available; set allowsRecall to try it anyway",
                operation: .tpnsRecall)
        }
        return try task(.tpnsRecall, "revoke_push_msg", message, .unkeyed)
    }

    private func task(
        _ operation: Feature, _ path: PathSegment, _ message: MessageID, _ idempotency: Idempotency
    ) throws(PushError) -> Exchange<Void> {
        let body = try pushBody(message)
        return call(operation, ["push", path], body, idempotency, decode: WireResponse.expectDone)
    }

    /// A body that names a push.
    func pushBody(_ message: MessageID) throws(PushError) -> WireBody {
        guard !message.rawValue.isEmpty, message.rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw PushError(.invalidArgument, "a push id of TPNS has digits only")
        }
        return try object { json in json.field("pushId", message.rawValue) }
    }
}

/// A push plan. The vendor counts together all pushes that name it.
public struct TPNSPlan: Sendable, Hashable, Decodable {
    /// The id for `planID` of ``TPNSOptions``.
    public let id: String
    /// The name of the plan.
    public let name: String
    /// The plan's purpose.
    public let description: String?

    private enum CodingKeys: String, CodingKey {
        case id = "planId"
        case name = "planName"
        case description = "planDescribe"
    }
}

extension TPNS {
    /// `POST /v3/push/plan/add_plan_push`: creates a plan, at most 200 a day. The client does not retry after a lost
    /// response, because a retry would create a second plan.
    /// - Parameters:
    ///   - name: 1 to 60 characters; another table of the vendor says 23.
    ///   - description: at most 300 characters.
    public func createPlan(_ name: String, describing description: String = "") throws(PushError) -> Exchange<TPNSPlan>
    {
        guard !name.isEmpty else { throw PushError(.invalidArgument, "the plan has no name; give it one") }
        let body = try object { json in
            json.field("planDescribe", description)
            json.field("planName", name)
        }
        return call(
            .tpnsCreatePlan, ["push", "plan", "add_plan_push"], body, .unkeyed, from: .tpnsPlans,
            checking: [
                .amount(name.unicodeScalars.count, .tpnsPlanName, "the name of the plan"),
                .amount(description.unicodeScalars.count, .tpnsPlanDescription, "the description of the plan"),
            ]
        ) { (response) throws(PushError) in
            struct Body: Decodable {
                var result: TPNSPlan
            }
            return try response.tpns(Body.self).result
        }
    }
}
