/// The typed options of one vendor, kept inside a message as JSON.
public protocol ProviderOptions: Codable, Sendable {
    /// The vendor that the options are for.
    static var provider: ProviderID { get }
    /// Every key that the JSON form may have.
    static var keys: [String] { get }
}
