import FoundationEssentials
public import PushAdapter

/// The adapter for Pigeon, an invented vendor: birds are devices, rings are tags.
///
/// ```swift
/// let pigeon = try Pigeon(key: Secret(text))
/// ```
///
/// A configuration can choose it: `PushClient.configured(from: config, providers: [Pigeon.self])`.
public struct Pigeon: ConfigurableProvider {
    public static let id: ProviderID = "pigeon"

    public static let dataCenters = DataCenterCatalog(
        DataCenter("loft", region: "CH", services: [.pigeon: "https://api.pigeon.invalid/v1"]))
    public static let settings: [ProviderSetting] = [.required("key", "from the loft", .secret)]
    public static let keySetting = "key"
    public static var errorRows: [VendorErrorRow] { PigeonErrors.rows }

    public let dataCenter: DataCenter
    public var authorizer: any Authorizer { credentials }
    public var capabilities = PigeonLimits.capabilities
    private let credentials: PigeonCredentials

    /// Refuses an empty key with `misconfigured`.
    public init(key: Secret, dataCenter: DataCenter = Pigeon.dataCenters.standard) throws(PushError) {
        guard !key.isEmpty else { throw PushError(.misconfigured, "the Pigeon key is empty; copy it from the loft") }
        self.dataCenter = dataCenter
        credentials = PigeonCredentials(key: key)
        capabilities.declare(roles)
    }

    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        try self.init(key: settings.secret("key"), dataCenter: dataCenter)
    }

    public var roles: Roles {
        var roles = Roles()
        roles.tokens = credentials.tokens
        roles.send = encode
        roles.probe = probe
        roles.tags.read = readTags
        roles.tags.update(by: updateTags)
        return roles
    }

    /// `{"error": {"no": 12, "text": "..."}}`, with any status.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard let failure = try? response.json(Failure.self).error else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let detail = VendorDetail(
            code: failure.no, message: failure.text, httpStatus: response.status, body: response.body)
        return PushError(PigeonErrors.rows.row(failure.no), detail, of: "Pigeon", in: response)
    }

    private struct Failure: Decodable {
        struct Detail: Decodable {
            var no: VendorCode
            var text: String
        }
        var error: Detail
    }
}

extension ServiceName {
    static let pigeon: ServiceName = "pigeon"
}
