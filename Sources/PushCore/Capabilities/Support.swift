/// How a provider supports a feature.
public enum Support: Sendable, Hashable {
    /// One request of the vendor's own.
    case native
    /// Made from other requests by the client.
    case emulated(Recipe)
    /// Not possible; the text says why and what to use instead.
    case unsupported(String)
}
