import PushAdapter
import PushConformance
import PushMemory
import PushSimulation
import PushctlKit

await Pushctl.main(adding: [OwnHarness()])

/// A third party's vendor: the one in memory under another name.
struct Own: ConfigurableProvider {
    static let id: ProviderID = "own"
    static let dataCenters = DataCenterCatalog(
        DataCenter("own", services: ["memory": "https://push.own.example/v1"]))
    static let settings: [ProviderSetting] = [.required("appKey", "the key of the app", .secret)]
    static let errorRows: [VendorErrorRow] = []

    private var base: MemoryProvider
    let dataCenter: DataCenter

    init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        base = MemoryProvider(key: try settings.secret("appKey"))
        // It passes messages on to the phones of a maker that has no adapter here.
        base.capabilities.classQuotas = [
            ClassQuota("meizu", .marketing, per: .device, 2, counting: .targets, .dropped, source: "this test")
        ]
        self.dataCenter = dataCenter
    }

    var capabilities: Capabilities {
        get { base.capabilities }
        set { base.capabilities = newValue }
    }
    var roles: Roles { base.roles }
    var authorizer: any Authorizer { base.authorizer }
    var sentSecrets: [Secret] { base.sentSecrets }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        base.diagnose(response, to: call)
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}

/// The vendor in memory, as a vendor of a command line.
struct OwnHarness: RegisteredVendor {
    private let memory = MemoryHarness()

    var provider: any ConfigurableProvider.Type { Own.self }
    var secrets: [String] { memory.secrets }
    var samples: ConformanceSamples { memory.samples }
    var documentedErrors: [DocumentedError] { memory.documentedErrors }

    func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try Own(
            ProviderSettings(["appKey": .secret(Secret(memory.secrets[0]))]),
            dataCenter: Own.dataCenters.standard.moved(to: origin))
    }

    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator { memory.makeSimulator(devices: devices) }

    func device(_ number: Int) -> VirtualDevice { memory.device(number) }

    func answer(_ error: DocumentedError) -> SimulatedResponse { memory.answer(error) }

    func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([], at: Own.id)
        let (key, devices) = (Secret(app.key), app.devices)
        return SimulatedVendor([("own", MemoryVendor(key: key, devices: devices))]) { (origin) throws(PushError) in
            try Own(
                ProviderSettings(["appKey": .secret(key)]), dataCenter: Own.dataCenters.standard.moved(to: origin))
        }
    }
}
