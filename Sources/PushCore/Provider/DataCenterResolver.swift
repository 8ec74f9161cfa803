/// Finds the data center of an app key, before a provider exists.
public protocol DataCenterResolver: Sendable {
    /// Throws `misconfigured` when the key is known nowhere.
    func resolve(key: String, in catalog: DataCenterCatalog) async throws(PushError) -> DataCenterResolution
}

/// An answer of a resolver, and how sure it is.
public struct DataCenterResolution: Sendable {
    /// How sure an answer is.
    public enum Grade: String, Sendable, Hashable {
        /// The vendor documents it, or the operator of the table vouches for it.
        case stated
        /// A data center accepted the key.
        case confirmed
        /// It fits what was seen, and may be wrong.
        case guessed
    }

    /// Where the app key lives.
    public var dataCenter: DataCenter
    /// How sure the resolver is of it.
    public var grade: Grade

    /// The answer that a key lives at this data center, and how sure that is.
    public init(dataCenter: DataCenter, grade: Grade) {
        self.dataCenter = dataCenter
        self.grade = grade
    }
}
