import JiguangDialect
public import PushAdapter

/// The result of a push to all apps of a group.
public struct EngageLabGroupReceipt: Sendable {
    /// The vendor's id of the push as a whole.
    public var groupMessage: MessageID?
    /// Results by app key.
    public var apps: [String: EngageLabItemResult]
}

extension EngageLab {
    /// `POST /v4/grouppush`: one push to every app of a group, signed by the group.
    ///
    /// Returns a result for each app. No page says that the vendor honors a key here, so the client does not retry
    /// after a lost response. Refuses `override_msg_id`: group pushes do not have it.
    public func sendToGroup(
        _ message: Message, to audience: Audience
    ) throws(PushError) -> Exchange<EngageLabGroupReceipt> {
        guard try message.options(EngageLabOptions.self)?.overrideMessageID == nil else {
            throw PushError(.unsupported, "a group push cannot replace a message; leave out override_msg_id")
        }
        let (body, inputs) = try EngageLabEncoder(self).push(message, audience, key: nil)
        return api.call(
            .engageLabSendToGroup, WireRequest(.post, .engageLab, path: ["grouppush"], body: .json(body)), .unkeyed,
            as: .group, checking: inputs
        ) { (response) throws(PushError) in
            var rows = try response.json([String: JSONValue].self)
            let group = rows.removeValue(forKey: "group_msgid")?.identifier
            let apps = rows.filter { if case .object = $0.value { true } else { false } }
            guard !apps.isEmpty else {
                throw PushError(.malformedResponse, "the response names no app of the group", effect: .unknown)
            }
            let results = try response.json([String: Lenient<ItemReply>].self)
            return EngageLabGroupReceipt(
                groupMessage: group.map { MessageID($0) },
                apps: apps.mapValues { _ in ItemReply.unreadable }.merging(
                    results.compactMapValues { $0.value?.result }.filter { apps[$0.key] != nil }
                ) { $1 })
        }
    }
}
