package import PushCore

/// A provider around another one. It differs from that one in the members that it defines itself.
package protocol ForwardingProvider: PushProvider {
    var base: any PushProvider { get }
}

extension ForwardingProvider {
    package var id: ProviderID { base.id }
    package var dataCenter: DataCenter { base.dataCenter }
    package var capabilities: Capabilities { base.capabilities }
    package var roles: Roles { base.roles }
    package var authorizer: any Authorizer { base.authorizer }
    package var sentSecrets: [Secret] { base.sentSecrets }

    package func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        base.diagnose(response, to: call)
    }

    package func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}
