import FoundationEssentials
import JiguangDialect
public import PushAdapter

extension JPush {
    /// `GET /v3/push/cid`: mints keys. Within a day, only one push happens per key, or one schedule for
    /// `createSchedule`.
    public func mintKeys(_ count: Int, for operation: Feature) -> Exchange<[IdempotencyKey]> {
        let kind: KeyedRequest = operation == .createSchedule ? .schedule : .push
        let request = WireRequest(
            .get, .jpushPush, path: ["cid"],
            query: [QueryItem("count", String(count)), QueryItem("type", kind.rawValue)])
        return api.call(
            .mintKeys, request, checking: [.count(count, .keysPerMint, "the keys")]
        ) { (response) throws(PushError) in
            let minted = response.receivedAt
            return try response.json(CIDReply.self).cidlist.map { value in
                IdempotencyKey(
                    value, kind: kind, mintedAt: minted, expiresAt: minted.addingTimeInterval(Self.keyLifetime))
            }
        }
    }

    /// Mints one key, which changes nothing. JPush has no call that only checks credentials.
    public func probe() -> Exchange<Void> {
        var mint = mintKeys(1, for: .send).map { _ in }
        mint.operation = .probeCredentials
        return mint
    }

    /// One day, according to the Push API v3 page of 2019-07.
    private static let keyLifetime: TimeInterval = 86_400

    private struct CIDReply: Decodable {
        var cidlist: [String]
    }
}
