import PushCore

extension APNsOptions {
    /// Refuses values that the vendor would not take for a push of this type.
    /// - Parameters:
    ///   - type: what the push is for.
    ///   - hasNotification: whether the message has one; a custom message may have the type alert as well.
    ///   - own: the topic of the adapter.
    func check(for type: APNsPushType, hasNotification: Bool, topic own: String) throws(PushError) {
        func refuse(_ name: String, _ advice: String) throws(PushError) {
            throw PushError(.invalidArgument, "the APNs option \(name) does not fit: \(advice)")
        }
        if let topic, !APNs.isTopic(topic) { try refuse("topic", "give a bundle id with the suffix of the push type") }
        if let topic, let suffix = type.suffix, !topic.hasSuffix(suffix) {
            try refuse("topic", "the topic of a push of the type \(type.rawValue) ends with \(suffix)")
        }
        if let topic, type.suffix == nil, let suffix = APNsPushType.plainSuffixes.first(where: { topic.hasSuffix($0) })
        {
            try refuse("topic", "a push of the type \(type.rawValue) has no topic that ends with \(suffix)")
        }
        if let topic, type != .mdm, topic.hasPrefix("com.apple.mgmt.") {
            try refuse("topic", "it is for pushes of the type mdm")
        }
        if type == .mdm, !(topic ?? own).hasPrefix("com.apple.mgmt.") {
            try refuse("topic", "a push of the type mdm needs the topic of its certificate, com.apple.mgmt.External.…")
        }
        guard let aps else { return }
        if !hasNotification, aps.alert != nil { try refuse("aps.alert", "it needs a notification in the message") }
        if type != .alert {
            let visible: [(String, Bool)] = [
                ("aps.sound", aps.sound != nil),
                ("aps.target-content-id", aps.targetContentID != nil), ("aps.url-args", aps.urlArguments != nil),
            ]
            if let (name, _) = visible.first(where: { $0.1 }) {
                try refuse(name, "it needs a notification in the message")
            }
        }
        if let score = aps.relevanceScore {
            guard type == .alert else {
                return try refuse("aps.relevance-score", "give it in the Live Activity, or with a notification")
            }
            if !(0...1).contains(score) { try refuse("aps.relevance-score", "give a number from 0 to 1") }
        }
        if let volume = aps.sound?.volume, !(0...1).contains(volume) {
            try refuse("aps.sound.volume", "give a number from 0 to 1")
        }
        if let sound = aps.sound, sound.critical != 1 { try refuse("aps.sound.critical", "leave it out, or give 1") }
        if aps.sound?.name.isEmpty == true { try refuse("aps.sound.name", "give a file of the app, or default") }
        if aps.pushToTalkType != nil, type != .pushToTalk {
            try refuse("aps.ptt-push-type", "it needs the push type pushtotalk")
        }
    }
}
