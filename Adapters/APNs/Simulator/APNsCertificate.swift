public import PushAdapter

/// A provider certificate that Apple knows.
public struct APNsCertificate: Sendable {
    /// The certificate in DER form, as a client presents it.
    public var der: [UInt8]
    /// The app of the certificate.
    public var bundleID: String
    /// The environment that it works in; nil for both.
    public var environment: AppEnvironment?
    /// Whether it is neither expired nor revoked.
    public var isValid = true
    /// Whether it also covers the topics for calls and complications. If so, every request must name its topic.
    public var hasMoreTopics = true

    /// A valid certificate with all topics of an app that certificates can have.
    public init(der: [UInt8], bundleID: String, environment: AppEnvironment? = nil) {
        self.der = der
        self.bundleID = bundleID
        self.environment = environment
    }

    /// The topic of a request that does not name one; nil if the request must name it.
    var standardTopic: String? { hasMoreTopics ? nil : bundleID }

    func covers(_ topic: Topic) -> Bool {
        let suffixes: [Topic.Suffix] = hasMoreTopics ? [.none, .voip, .complication] : [.none]
        return topic.bundleID == bundleID && suffixes.contains(topic.suffix)
    }
}
