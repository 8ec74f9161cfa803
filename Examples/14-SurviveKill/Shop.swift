import Glibc
import PushAdapter
import PushBridge
import PushJPush
import PushOutbox

// Shared by both processes: the phones, the campaign, and the client that sends it.

let appKey = "0123456789abcdef01234567"
let secret = "simulator0simulator0only"
let campaign: CampaignName = "sale-2026-11"
let text = "Everything is half price until Sunday"
/// JPush takes a thousand phones per request, so the campaign has twenty slices.
let phones = (0..<20_000).map { number in
    let digits = String(number)
    return DeviceID("190e35f7e0a" + String(repeating: "0", count: 8 - digits.count) + digits)
}

/// Whether the vendor recognizes a repeated request.
enum Keys: String, CaseIterable {
    /// Like JPush: the same idempotency key again means the same message.
    case keys
    /// Like TPNS: a repeated request is a second message.
    case none

    func client(origin: String, caFile: String) throws(PushError) -> PushClient {
        let jpush = try JPush(appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: origin))
        var settings = CurlConfiguration()
        settings.caFile = caFile
        let transport = try CurlTransport(settings)
        return self == .keys
            ? PushClient(jpush, transport: transport) : PushClient(WithoutKeys(base: jpush), transport: transport)
    }
}

/// JPush without its idempotency keys.
private struct WithoutKeys: PushProvider {
    let base: JPush

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var authorizer: any Authorizer { base.authorizer }

    var roles: Roles {
        var roles = base.roles
        roles.mintKeys = nil
        return roles
    }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        capabilities.support[.mintKeys] = .unsupported("this example leaves keys out")
        return capabilities
    }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        base.diagnose(response, to: call)
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}
