import PushCore

/// What the client makes from other requests where a vendor has no native call.
enum Emulations {
    static let replaceTags = Recipe(
        .faithful, isAtomic: false, requests: 2,
        caveat: "reads, adds and removes in separate requests: others can see and change the state in between")

    /// A provider's capabilities with the emulations that they make possible.
    static func extend(_ native: Capabilities) -> Capabilities {
        var effective = native
        if native[.replaceTags] != .native,
            [Feature.readTags, .addTags, .removeTags, .clearTags].allSatisfy({ native[$0] == .native })
        {
            effective.support[.replaceTags] = .emulated(replaceTags)
        }
        return effective
    }
}
