/// Finds the data center of an app key, before a provider exists.
public protocol DataCenterResolver: Sendable {
    /// Finds the data center of a key; throws `misconfigured` when the key is unknown everywhere.
    func resolve(key: String, in catalog: DataCenterCatalog) async throws(PushError) -> DataCenterResolution
}

/// A resolver's answer, and how sure it is.
public struct DataCenterResolution: Sendable {
    /// How sure an answer is.
    public enum Grade: String, Sendable, Hashable {
        /// The vendor documents it, or the operator of the table vouches for it.
        case stated
        /// A data center accepted the key.
        case confirmed
        /// It fits the observations and may be wrong.
        case guessed
    }

    /// Where the app key lives.
    public var dataCenter: DataCenter
    /// How sure the resolver is of it.
    public var grade: Grade

    /// The answer that a key lives at this data center, and how sure the resolver is.
    public init(dataCenter: DataCenter, grade: Grade) {
        self.dataCenter = dataCenter
        self.grade = grade
    }
}
