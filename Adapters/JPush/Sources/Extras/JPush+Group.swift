import JiguangDialect
public import PushAdapter

/// The result of a push to all apps of a group.
public struct JPushGroupReceipt: Sendable {
    /// The id for reports about the group; nil in responses from before 2020-08.
    public var groupMessage: MessageID?
    /// Results by app key.
    public var apps: [String: JPushItemResult]
}

extension JPush {
    /// `POST /v3/grouppush`: one push to every app of a group, signed by the group.
    ///
    /// Returns a result for each app. A group push has no idempotency key, so the client does not retry after a lost
    /// response. Refuses `override_msg_id`: group pushes do not have it.
    public func sendToGroup(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<JPushGroupReceipt>
    {
        if case .file = audience { return try groupPush(message, audience, ["file"]) }
        return try groupPush(message, audience, [])
    }

    private func groupPush(
        _ message: Message, _ audience: Audience, _ path: [PathSegment]
    ) throws(PushError) -> Exchange<JPushGroupReceipt> {
        guard try message.options(JPushOptions.self)?.overrideMessageID == nil else {
            throw PushError(.unsupported, "a group push cannot replace a message; leave out override_msg_id")
        }
        let body = try JPushEncoder(capabilities).push(message, audience, key: nil)
        return api.call(
            .jpushSendToGroup, WireRequest(.post, .jpushGroupPush, path: path, body: .json(body)), .unkeyed, as: .group,
            checking: [.message(message), .audience(audience)]
        ) { (response) throws(PushError) in
            struct Reply: Decodable {
                var group: WireText?
                enum CodingKeys: String, CodingKey { case group = "group_msgid" }
            }
            let group = try response.json(Reply.self).group
            // The object also has keys that are not apps. An app key has 24 letters and digits.
            let apps = try ItemReply.read(response).filter { $0.key.utf8.count == 24 }
            guard !apps.isEmpty else {
                throw PushError(.malformedResponse, "the response names no app of the group", effect: .unknown)
            }
            return JPushGroupReceipt(groupMessage: group.map { MessageID($0.text) }, apps: apps)
        }
    }
}
