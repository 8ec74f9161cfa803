import PushAdapter

/// A provider with the addresses of another data center.
struct Elsewhere: PushProvider {
    let base: any PushProvider
    let dataCenter: DataCenter

    var id: ProviderID { base.id }
    var authorizer: any Authorizer { base.authorizer }
    var sentSecrets: [Secret] { base.sentSecrets }
    var capabilities: Capabilities { base.capabilities }
    var roles: Roles { base.roles }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        base.diagnose(response, to: call)
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}
