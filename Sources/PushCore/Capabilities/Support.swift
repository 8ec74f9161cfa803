/// How a provider supports a feature.
public enum Support: Sendable, Hashable {
    /// One request to the vendor.
    case native
    /// The client builds it from other requests.
    case emulated(Recipe)
    /// Not possible; the text gives the reason and an alternative.
    case unsupported(String)
}
