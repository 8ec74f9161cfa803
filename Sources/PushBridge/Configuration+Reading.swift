public import Configuration
public import PushClient
public import PushCore
public import PushCurl

extension ClientConfiguration {
    /// The defaults with what a configuration says: `deadlineSeconds`, `attemptSeconds`, `attempts`,
    /// `concurrentSlices`.
    ///
    /// Refuses a value that cannot be used with `misconfigured`, naming the key.
    public init(reading config: ConfigReader) throws(PushError) {
        self.init()
        if let value = config.double(forKey: "deadlineSeconds") {
            deadline = try seconds(value, "deadlineSeconds")
        }
        if let value = config.double(forKey: "attemptSeconds") {
            attemptTimeout = try seconds(value, "attemptSeconds")
        }
        if let value = config.int(forKey: "attempts") { retry.attempts = try count(value, "attempts") }
        if let value = config.int(forKey: "concurrentSlices") {
            concurrentSlices = try count(value, "concurrentSlices")
        }
    }
}

extension CurlConfiguration {
    /// The defaults with what a configuration says: `caFile`, `pinnedPublicKey`, `proxy`, `maxInFlight`,
    /// `connectSeconds`.
    ///
    /// Refuses a value that cannot be used with `misconfigured`, naming the key.
    public init(reading config: ConfigReader) throws(PushError) {
        self.init()
        caFile = config.string(forKey: "caFile")
        pinnedPublicKey = config.string(forKey: "pinnedPublicKey")
        proxy = config.string(forKey: "proxy", isSecret: true)
        if let value = config.int(forKey: "maxInFlight") { maxInFlight = try count(value, "maxInFlight") }
        if let value = config.double(forKey: "connectSeconds") {
            connectTimeout = try seconds(value, "connectSeconds")
        }
    }
}

private func seconds(_ value: Double, _ key: String) throws(PushError) -> Duration {
    guard value > 0, value <= 86_400 else {
        throw PushError(.misconfigured, "\(key) is \(value); give more than 0 and at most 86400 seconds")
    }
    return .seconds(value)
}

private func count(_ value: Int, _ key: String) throws(PushError) -> Int {
    guard (1...10_000).contains(value) else {
        throw PushError(.misconfigured, "\(key) is \(value); give 1 to 10000")
    }
    return value
}
