/// How a provider supports a feature.
public enum Support: Sendable, Hashable {
    /// One request to the vendor.
    case native
    /// The client builds it from other requests.
    case emulated(Recipe)
    /// Not possible; the text says why and what to use instead.
    case unsupported(String)
}
