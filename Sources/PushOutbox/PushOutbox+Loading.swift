import FoundationEssentials
import PushAdapter
import PushClient
import PushCrypto

extension PushOutbox {
    func unknownRoute(_ route: RouteName) -> PushError {
        let known = routes.keys.sorted().map(\.rawValue).joined(separator: ", ")
        return PushError(
            .invalidArgument, "the outbox has no route \(Redaction.quoted(route.rawValue)); it has \(known)")
    }

    /// Cuts all parts into slices and returns their number. Refuses a campaign without targets.
    func load(
        _ message: Message, _ parts: [CampaignPart], into campaign: Campaign,
        _ write: @escaping @Sendable (PartLoader.Rows) async throws(PushError) -> Void
    ) async throws(PushError) -> Int {
        var (count, number) = (0, 0)
        for part in parts {
            let rows = Array(campaign.parts[number...].prefix(part.partCount))
            number += rows.count
            let loader = PartLoader(message.kept(for: campaign.options.expiry), routes, campaign, rows, write: write)
            do {
                switch part.content {
                case .audience(let audience):
                    if let targets = audience.targets {
                        try await loader.add(targets)
                    } else {
                        try await loader.add(audience)
                    }
                case .devices(let read): try await read { try await loader.add([.device($0)]) }
                case .routed(let read, _): try await read { try await loader.add($0) }
                }
                // Some streams simply end when their reader is cancelled.
                try Task.checkCancellation()
                try await loader.finish()
            } catch let error as PushError {
                throw error
            } catch is CancellationError {
                throw PushError(.cancelled, "cancelled while the campaign was enqueued; nothing is sent")
            } catch {
                throw PushError(
                    .invalidArgument, "the stream of targets failed; nothing is sent, enqueue the campaign again",
                    underlying: error)
            }
            count += await loader.count
        }
        guard count > 0 else { throw PushError(.invalidArgument, "the campaign has no targets") }
        return count
    }
}
