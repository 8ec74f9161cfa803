import PushAdapter
import PushSimulation

/// The rights of an app, and the classes of its messages.
extension OPPOSimulator {
    private static let service: Set<String> = ["IM", "ACCOUNT", "TODO", "DEVICE_REMINDER", "ORDER", "SUBSCRIPTION"]
    private static let marketing: Set<String> = ["NEWS", "CONTENT", "MARKETING", "SOCIAL"]

    func lane(of message: OPPOMessage, _ app: OPPOApp) throws(Refusal) -> Push.Lane {
        guard !message.usesExtras || app.hasExtras else { throw .secondAction }
        if let level = message.level {
            guard message.category != nil, app.levels.contains(level) else { throw .right("notify_level") }
        }
        var lane = Push.Lane(isMarketing: try isMarketing(message, app))
        guard message.showLife ?? 0 <= (lane.isMarketing ? 43_200 : 86_400) else { throw .illegal("show_ttl") }
        if let channel = message.channel, !app.channels.union(app.oldPrivateChannels).contains(channel) {
            guard !settings.tellsChannelFaults else { throw .illegal("channel_id") }
            lane.isHidden = true
        }
        if let template = message.template {
            lane.texts = app.templates[template].flatMap(message.texts)
            guard lane.texts != nil || !settings.tellsTemplateFaults else { throw .illegal("private_msg_template_id") }
            lane.isHidden = lane.isHidden || lane.texts == nil
        }
        return lane
    }

    /// Whether a message counts as marketing. So does one without a class, outside of old private channels.
    private func isMarketing(_ message: OPPOMessage, _ app: OPPOApp) throws(Refusal) -> Bool {
        guard let category = message.category else {
            return message.channel.map { !app.oldPrivateChannels.contains($0) } ?? true
        }
        if Self.marketing.contains(category) { return true }
        guard Self.service.contains(category) else { throw .illegal("category") }
        guard !app.approved.contains(category) else { return false }
        guard !settings.refusesUnapproved else { throw .right("category") }
        return true
    }
}
