public import PushAdapter

/// The devices of an app's users, by platform.
///
/// ```swift
/// let population = try Population(["huawei=70", "oppo=30", "ios"], reachedBy: profiles)
/// ```
public struct Population: Sendable, Hashable {
    /// The devices of one platform.
    public struct Part: Sendable, Hashable {
        /// A platform, or a phone maker by the name of its adapter.
        public let platform: Platform
        /// The phone maker; nil for any other platform.
        public let maker: ProviderID?
        /// The share of all devices in percent; nil if it was not given.
        public let share: Int?
        /// The needs of these devices; none by default.
        public var requirements = Requirements([Requirements.Item]())

        /// Whether a word for a platform means this part: `huawei` and `android` both mean Huawei's phones.
        public func isMeant(by word: Platform) -> Bool { word == platform || word == maker?.platform }
    }

    /// The parts, as given.
    public var parts: [Part]

    /// Parts in words: a platform that one of the vendors reaches, such as `ios`, with its share in percent or without
    /// it: `huawei=70`.
    ///
    /// Refuses with `invalidArgument` an unknown platform, a platform that is named twice, a share that is no whole
    /// number from 1 to 100, and shares of more than 100 together.
    public init(_ texts: [String], reachedBy vendors: [VendorProfile]) throws(PushError) {
        let known = vendors.reduce(into: Set()) { $0.formUnion($1.reach) }
        let makers = vendors.reduce(into: Set()) { $0.formUnion($1.capabilities.makers) }
        parts = []
        for text in texts {
            let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let (platform, maker) = (Platform(words[0]), ProviderID(words[0]))
            guard known.contains(platform) else { throw Self.unknown(words[0], known) }
            guard !parts.contains(where: { $0.platform == platform }) else {
                throw PushError(.invalidArgument, "the platform \(platform) is named twice; name it once")
            }
            let share = try words.dropFirst().first.map { (word) throws(PushError) in try Self.share(word, text) }
            parts.append(Part(platform: platform, maker: makers.contains(maker) ? maker : nil, share: share))
        }
        let total = parts.compactMap(\.share).reduce(0, +)
        guard total <= 100 else {
            throw PushError(.invalidArgument, "the shares of the platforms are \(total) % together, more than 100 %")
        }
    }

    private static func unknown(_ word: String, _ known: Set<Platform>) -> PushError {
        PushError(
            .invalidArgument,
            "unknown platform \(Redaction.quoted(word)); known are \(known.sorted().map(\.rawValue).joined(separator: ", "))"
        )
    }

    private static func share(_ word: String, _ text: String) throws(PushError) -> Int {
        guard let share = Int(word), (1...100).contains(share) else {
            throw PushError(
                .invalidArgument,
                "the share in \(Redaction.quoted(text)) is not a whole number of percent from 1 to 100")
        }
        return share
    }
}
