public import PushAdapter

/// The advisor's data about one vendor.
public struct VendorProfile: Sendable {
    /// A client that is set up to do more.
    public struct Variant: Sendable {
        /// The setting: `a ledger`.
        public var setting: String
        /// The capabilities of the client with the setting.
        public var capabilities: Capabilities

        /// A setting, and the capabilities of a client with it.
        public init(setting: String, capabilities: Capabilities) {
            self.setting = setting
            self.capabilities = capabilities
        }
    }

    /// The name of the vendor.
    public var id: ProviderID
    /// The capabilities of a client over the vendor: `client.capabilities`, which has the emulations.
    public var capabilities: Capabilities
    /// The codes that the vendor documents.
    public var errorRows: [VendorErrorRow]
    /// Where the vendor keeps apps.
    public var dataCenters: DataCenterCatalog
    /// Clients that can do more; explanations name the first one that helps.
    public var variants: [Variant]
    /// The platforms that it reaches. A phone maker is a platform of its own: `huawei`.
    public var reach: Set<Platform>
    /// A reason against the vendor beside its features, such as the end of its sales; nil if there is none. A draft of
    /// an adapter has a note of its own.
    public var note: String?

    /// A profile from its parts. Its reach is that of the capabilities; set ``reach`` if the vendor has other apps too.
    public init(
        _ id: ProviderID, capabilities: Capabilities, dataCenters: DataCenterCatalog,
        errorRows: [VendorErrorRow] = [], variants: [Variant] = [], note: String? = nil
    ) {
        self.id = id
        self.capabilities = capabilities
        self.errorRows = errorRows
        self.dataCenters = dataCenters
        self.variants = variants
        reach = capabilities.reach(of: id)
        let notes = [note, capabilities.draftNote].compactMap(\.self)
        self.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// A profile of an adapter's vendor.
    public init(
        of provider: any ConfigurableProvider.Type, capabilities: Capabilities, variants: [Variant] = [],
        note: String? = nil
    ) {
        self.init(
            provider.id, capabilities: capabilities, dataCenters: provider.dataCenters, errorRows: provider.errorRows,
            variants: variants, note: note)
    }
}
