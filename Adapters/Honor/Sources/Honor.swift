public import PushAdapter

/// A draft of the adapter for Honor Push in mainland China.
///
/// **It is not verified against the vendor's page**, which this library's authors could not read. Public clients that
/// cite the page agree about hosts, headers and fields; one integrator's table is the only source of the error codes.
/// So an unknown code stays `unknown`, and the adapter calls no device dead. Try it with the phones of your own team
/// first.
///
/// ```swift
/// var honor = try Honor(appID: "104200001", clientID: "c0ffee", clientSecret: Secret(text))
/// honor.defaultTitle = "Shop"
/// ```
///
/// A request has up to 1,000 tokens. The vendor has no tags, aliases, accounts, schedules or idempotency keys. If the
/// response to a send is lost, the outcome stays unknown unless ``acceptsDuplicates`` is set.
///
/// Without a class, or without the vendor's right to it, a notification is marketing: two a day on a device. Older
/// phones of the brand have tokens of Huawei, and belong to that adapter.
public struct Honor: PushProvider {
    /// `honor`, the key of the vendor's options in a message.
    public static let id: ProviderID = "honor"

    /// The App ID in the console, which names the app in the address of a send.
    public let appID: String
    /// The vendor's hosts, or your own data center.
    public let dataCenter: DataCenter
    /// Adds an access token and the time to every request.
    public var authorizer: any Authorizer { HonorAuthorizer(unit: timestampUnit) }
    /// The limits, as integrators quote them.
    public var capabilities: Capabilities
    /// The title of notifications that have none, such as the app's name. The vendor demands a title.
    public var defaultTitle: String?
    /// The class of the app's start page, which the vendor demands with a badge.
    public var launcherClass: String?
    /// Whether the client may retry a send whose response was lost. No source knows of a way in which the vendor
    /// recognizes a repeated message, so a device may show one twice.
    public var acceptsDuplicates = false
    /// Whether 503, as a status or a code, means that nothing was sent. That is this library's inference.
    public var trustsInference = true
    /// The vendor's rate. It is the same for all apps.
    public var requestsPerSecond = HonorLimits.requestsPerSecond { didSet { updateQuotas() } }
    /// Whether the rate counts devices. The sources do not say; the default is requests.
    public var countsDevices = false
    /// The days by which the vendor counts test messages. No source names the time zone.
    public var day = CalendarDay.china { didSet { updateQuotas() } }
    /// The unit of the header field `timestamp`. Sources differ.
    public var timestampUnit = TimestampUnit.milliseconds
    private let tokens: TokenMinting

    /// The units that clients write a time in.
    public enum TimestampUnit: String, Sendable, CaseIterable {
        /// As in the vendor's own article.
        case milliseconds
        /// As in one public client.
        case seconds
    }

    /// Creates the adapter of one app. The client exchanges the secret for access tokens, and shares one among all
    /// calls.
    ///
    /// Refuses with `misconfigured` an App ID that is not 1 to 64 letters and digits, an empty Client ID and an empty
    /// secret.
    /// - Parameters:
    ///   - appID: the App ID in the console.
    ///   - clientID: the Client ID in the console. It is another value than the App ID.
    ///   - clientSecret: the Client Secret. The App Secret beside the App ID is for the phone.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    public init(
        appID: String, clientID: String, clientSecret: Secret, dataCenter: DataCenter = Honor.dataCenters.standard
    ) throws(PushError) {
        guard appID.wholeMatch(of: /[A-Za-z0-9]{1,64}/) != nil else {
            throw PushError(
                .misconfigured,
                "appID is \(Redaction.quoted(appID)); it has letters and digits: take the App ID from the vendor's "
                    + "console")
        }
        guard !clientID.isEmpty, !clientSecret.isEmpty else {
            throw PushError(
                .misconfigured, "clientID or clientSecret is empty; take both from the vendor's console")
        }
        (self.appID, self.dataCenter) = (appID, dataCenter)
        tokens = TokenMinting(renewalMargin: .seconds(300)) { (_, _) throws(PushError) in
            .fetched(by: HonorTokens.exchange(clientID, clientSecret))
        }
        capabilities = HonorLimits.capabilities
        capabilities.declare(roles)
    }

    private mutating func updateQuotas() {
        capabilities.quotas = HonorLimits.quotas(requestsPerSecond, day)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.remarks = { MakerWords.remarks(on: $0, capabilities) }
        return roles
    }
}
