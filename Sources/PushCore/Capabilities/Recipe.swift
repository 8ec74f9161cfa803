/// What an emulation costs and promises.
public struct Recipe: Sendable, Hashable {
    /// How close an emulation comes to a native call.
    public enum Fidelity: String, Sendable, Hashable {
        /// The same result as a native call, once the emulation completes.
        case faithful
        /// Loses what `caveat` names; runs only when the caller opted in.
        case lossy
    }

    /// Whether the emulation loses something that a native call keeps.
    public var fidelity: Fidelity
    /// Whether no half-done state can be seen or left behind.
    public var isAtomic: Bool
    /// The number of requests that most calls take; some take more.
    public var requests: Int
    /// What a caller must know.
    public var caveat: String

    /// An emulation: what it promises, about how many requests it takes, and what a caller must know.
    public init(_ fidelity: Fidelity, isAtomic: Bool, requests: Int, caveat: String) {
        self.fidelity = fidelity
        self.isAtomic = isAtomic
        self.requests = requests
        self.caveat = caveat
    }
}
