import FoundationEssentials
public import PushCore

extension JPush: KeyMinting, CredentialProbing {
    /// `GET /v3/push/cid`: ids that make a push, or for `createSchedule` a schedule, happen once within a day.
    public func mintKeys(_ count: Int, for operation: Feature) throws(PushError) -> Exchange<[IdempotencyKey]> {
        let most = capabilities.limits[.keysPerMint]?.maximum ?? 1000
        guard count >= 1, count <= most else {
            throw PushError(.invalidArgument, "\(count) keys cannot be had in one call; ask for 1 to \(most)")
        }
        let kind: IdempotencyKey.Kind = operation == .createSchedule ? .schedule : .push
        let request = WireRequest(
            .get, .jpushPush, path: ["cid"],
            query: [QueryItem("count", String(count)), QueryItem("type", kind.rawValue)])
        return Exchange(
            .mintKeys, request, idempotency: .idempotent, charges: [QuotaCharge(.jpushPush)]
        ) { (response) throws(PushError) in
            let minted = response.receivedAt
            return try response.json(CIDReply.self).cidlist.map { value in
                IdempotencyKey(
                    value, kind: kind, mintedAt: minted, expiresAt: minted.addingTimeInterval(Self.keyLifetime))
            }
        }
    }

    /// Asks for one key, which changes nothing: JPush has no call that only checks credentials.
    public func probe() throws(PushError) -> Exchange<Void> {
        let mint = try mintKeys(1, for: .send)
        return Exchange(
            .probeCredentials, mint.request, idempotency: .idempotent, charges: mint.charges
        ) { (response) throws(PushError) in _ = try mint.decode(response) }
    }

    /// One day, by the Push API v3 page of 2019-07.
    private static let keyLifetime: TimeInterval = 86_400

    private struct CIDReply: Decodable {
        var cidlist: [String]
    }
}
