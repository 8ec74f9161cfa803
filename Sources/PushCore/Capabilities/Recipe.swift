/// What an emulation costs and promises.
public struct Recipe: Sendable, Hashable {
    /// How close an emulation comes to a native call.
    public enum Fidelity: String, Sendable, Hashable {
        /// The same result as a native call, once it is complete.
        case faithful
        /// Something named in `caveat` is lost; runs only when the caller opted in.
        case lossy
    }

    /// Whether something is lost against a native call.
    public var fidelity: Fidelity
    /// Whether nobody can see or leave a half-way state.
    public var isAtomic: Bool
    /// The number of requests that most calls take, or more.
    public var requests: Int
    /// What a caller has to know.
    public var caveat: String

    /// An emulation of about so many requests, with what it promises and what a caller has to know.
    public init(_ fidelity: Fidelity, isAtomic: Bool, requests: Int, caveat: String) {
        self.fidelity = fidelity
        self.isAtomic = isAtomic
        self.requests = requests
        self.caveat = caveat
    }
}
