import FoundationEssentials
import PushAdapter

/// An adapter that does no work, so a call has only the client's own work.
struct IdleProvider: PushProvider {
    var id: ProviderID { "idle" }
    var roles: Roles { Roles() }
    let dataCenter = DataCenter("idle", services: ["idle": "https://localhost"])
    let authorizer: any Authorizer = IdleAuthorizer()
    let capabilities = Capabilities(
        support: [.send: .native], quotas: ["calls": Quota(1_000_000_000, per: .seconds(1), source: "benchmark")])

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? { nil }

    var exchange: Exchange<Void> {
        Exchange(.send, WireRequest(.post, "idle"), idempotency: .idempotent, charges: [QuotaCharge("calls")]) { _ in }
    }
}

struct IdleAuthorizer: Authorizer {
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        [:]
    }
}

struct IdleTransport: HTTPTransport {
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse { WireResponse(status: 200) }
    func shutdown() async {}
}
