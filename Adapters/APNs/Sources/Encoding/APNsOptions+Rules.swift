import PushAdapter

extension APNsOptions {
    /// The rules that do not depend on the topic. A custom message of the type alert may be seen and heard as well.
    static let rules: [OptionRule] =
        [
            .needs("pushToTalkType", .option("pushType", "pushtotalk")),
            .excludes("priority", .field(.deliveryPriority)), .excludes("collapseID", .field(.ios("collapseID"))),
        ] + OptionRule.aps("aps", or: .option("pushType", "alert"))

    /// All others are header fields, or have another name on the wire.
    static let places = OptionPlaces(
        of: Self.self, ["aps": ["aps.*", "aps.sound"]],
        elsewhere: ["pushType", "topic", "priority", "collapseID", "pushToTalkType"])

    /// Refuses a topic that the vendor does not accept for a push of this type.
    /// - Parameters:
    ///   - type: the purpose of the push.
    ///   - own: the adapter's topic.
    func check(for type: APNsPushType, topic own: String) throws(PushError) {
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
    }
}
