import ArgumentParser
import PushAdvisor
import PushBridge

extension CompletionKind {
    /// The vendors that this tool knows.
    static var vendors: CompletionKind { .list(Vendor.all.map(\.id.rawValue)) }
    /// The platforms that they reach. Stored, because a command is made several times before it runs.
    static let platforms = list(Set(Vendor.all.flatMap { (try? $0.reach()) ?? [] }).sorted().map(\.rawValue))
    /// The features of the model.
    static var features: CompletionKind { .list(Feature.model.map(\.feature.rawValue)) }
    /// The words that `choose` accepts: needs, limits with a number to follow, features.
    static var needs: CompletionKind {
        .list(
            Requirements.words.map(\.word) + Requirements.limitWords.map { $0.word + "=" }
                + Feature.model.map(\.feature.rawValue))
    }
}
