/// What an emulation costs and promises.
public struct Recipe: Sendable, Hashable {
    public enum Fidelity: String, Sendable, Hashable {
        /// The same observable result as a native call.
        case faithful
        /// Something named in `caveat` is lost; runs only when the caller opted in.
        case lossy
    }

    public var fidelity: Fidelity
    /// Whether nobody can see or leave a half-way state.
    public var isAtomic: Bool
    /// The least number of requests.
    public var requests: Int
    /// What a caller has to know.
    public var caveat: String

    public init(_ fidelity: Fidelity, isAtomic: Bool, requests: Int, caveat: String) {
        self.fidelity = fidelity
        self.isAtomic = isAtomic
        self.requests = requests
        self.caveat = caveat
    }
}
