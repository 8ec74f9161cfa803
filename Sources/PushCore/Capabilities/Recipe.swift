/// The costs and the promises of an emulation.
public struct Recipe: Sendable, Hashable {
    /// How close an emulation comes to a native call.
    public enum Fidelity: String, Sendable, Hashable {
        /// The same result as a native call, once the emulation completes.
        case faithful
        /// Loses something, which `caveat` names; runs only if the caller opted in.
        case lossy
    }

    /// Whether the emulation loses something that a native call keeps.
    public var fidelity: Fidelity
    /// Whether no half-done state is ever visible or left behind.
    public var isAtomic: Bool
    /// The number of requests that most calls take; some take more.
    public var requests: Int
    /// The warning to callers.
    public var caveat: String

    /// An emulation: its promises, its usual number of requests, and its warning to callers.
    public init(_ fidelity: Fidelity, isAtomic: Bool, requests: Int, caveat: String) {
        self.fidelity = fidelity
        self.isAtomic = isAtomic
        self.requests = requests
        self.caveat = caveat
    }
}
