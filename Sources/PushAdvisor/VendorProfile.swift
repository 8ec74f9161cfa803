public import PushAdapter

/// What the advisor knows about one vendor.
public struct VendorProfile: Sendable {
    /// A client that is set up to do more.
    public struct Variant: Sendable {
        /// The setting: `a ledger`.
        public var setting: String
        /// What the client can then do.
        public var capabilities: Capabilities

        /// A setting and what a client with it can do.
        public init(setting: String, capabilities: Capabilities) {
            self.setting = setting
            self.capabilities = capabilities
        }
    }

    /// The name of the vendor.
    public var id: ProviderID
    /// What a client over the vendor can do: `client.capabilities`, which has the emulations.
    public var capabilities: Capabilities
    /// The codes that the vendor documents.
    public var errorRows: [VendorErrorRow]
    /// Where the vendor keeps apps.
    public var dataCenters: DataCenterCatalog
    /// Clients that can do more; explanations name the first one that helps.
    public var variants: [Variant]
    /// What to know before choosing the vendor, such as the end of its sales; nil for nothing.
    public var note: String?

    /// A profile of an adapter's vendor.
    public init(
        of provider: any ConfigurableProvider.Type, capabilities: Capabilities, variants: [Variant] = [],
        note: String? = nil
    ) {
        id = provider.id
        self.capabilities = capabilities
        errorRows = provider.errorRows
        dataCenters = provider.dataCenters
        self.variants = variants
        self.note = note
    }
}
