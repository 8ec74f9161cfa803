import ArgumentParser
import Foundation
import PushAdapter
import PushClient
import PushConformance
import PushCurl
import PushHTTP2
import PushSimulation
import VendorRegistry

/// A vendor whose worker is killed.
struct KilledVendor: ExpressibleByArgument, Sendable {
    static let all = KnownVendors.all.map(KilledVendor.init)
    static var allValueStrings: [String] { KnownVendors.names }

    private let harness: any RegisteredVendor

    private init(_ harness: any RegisteredVendor) { self.harness = harness }

    init?(argument: String) {
        guard let vendor = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = vendor
    }

    var name: String { harness.provider.id.rawValue }

    func device(_ number: Int) -> DeviceID { DeviceID(harness.device(number).id) }

    /// The vendor's first data center.
    func simulated() throws -> (simulator: any ObservableSimulator, vendor: SimulatedVendor) {
        var app = harness.sampleApp
        app.devices = (0..<Campaigns.devices).map(harness.device)
        // The rates of other simulators are higher than that of a campaign. Here the campaigns would wait.
        if name == "jpush" { app.pushesPerMinute = 1_000_000 }
        let vendor = try harness.makeSimulators(of: app)
        guard let simulator = vendor.centers.first?.simulator as? any ObservableSimulator else {
            throw PushError(.invalidState, "the simulator of \(name) does not show the phones")
        }
        return (simulator, vendor)
    }

    /// The adapter with these settings, with small requests and without quotas.
    func provider(_ access: Access) throws -> any PushProvider {
        var provider = try harness.provider.init(
            ProviderSettings(values(access.settings)),
            dataCenter: harness.provider.dataCenters.standard.moved(to: access.origin))
        // The settings of every vendor, such as the channels of a class, are no settings of the adapter.
        provider.capabilities.classes = try harness.makeProvider(at: access.origin).capabilities.classes
        let most = min(Campaigns.perRequest, provider.capabilities.limits[.devicesPerSend]?.maximum ?? .max)
        provider.capabilities.limits[.devicesPerSend] = Limit(most, .count, .split, source: "small requests")
        provider.capabilities.quotas = [:]
        return provider
    }

    private func values(_ texts: [String: String]) -> [String: ProviderSettings.Value] {
        let forms = Dictionary(harness.provider.settings.map { ($0.name, $0.form) }) { first, _ in first }
        return texts.reduce(into: [:]) { values, setting in
            switch forms[setting.key] {
            case .secret: values[setting.key] = .secret(Secret(setting.value))
            case .texts: values[setting.key] = .texts(setting.value.split(separator: ",").map(String.init))
            case .integer: values[setting.key] = Int(setting.value).map(ProviderSettings.Value.integer)
            default: values[setting.key] = .text(setting.value)
            }
        }
    }
}

extension PushProvider {
    /// Whether a repeated request is dropped by its key.
    var hasKeys: Bool {
        roles.mintKeys != nil || capabilities.callerKeys[.push]?.grade == .vendor
    }

    /// In each interval of this length, one response is lost or late. Over HTTP/2, a lost one takes its connection with
    /// all its requests along.
    var lostEvery: Duration { .milliseconds(dataCenter.http2Services.isEmpty ? 40 : 1_000) }

    /// The most targets that one killed worker can leave unknown: those of sixteen requests. With one target per
    /// request: the requests in flight, and a hundred targets that are noted ahead of them.
    var mostUnknown: Int {
        capabilities.limits[.devicesPerSend]?.maximum == 1 ? Access.mostInFlight + 100 : 16 * Campaigns.perRequest
    }
}

/// How a worker reaches the simulator: the contents of its file.
struct Access: Codable {
    /// The most requests that a worker has in flight.
    static let mostInFlight = 64

    var origin: String
    var caFile: String
    var settings: [String: String]

    /// Writes the key file, if the vendor has one, and then this file.
    static func write(_ vendor: SimulatedVendor, _ origin: String, _ caFile: String?, in folder: URL) throws -> URL {
        var access = Access(origin: origin, caFile: caFile ?? "", settings: vendor.settings)
        if let (name, content) = vendor.keyFile {
            let key = folder.appending(path: "key")
            try content(origin).withBytes { Data($0) }.write(to: key)
            access.settings[name] = key.path()
        }
        let file = folder.appending(path: "access.json")
        try JSONEncoder().encode(access).write(to: file)
        return file
    }

    init(origin: String, caFile: String, settings: [String: String]) {
        (self.origin, self.caFile, self.settings) = (origin, caFile, settings)
    }

    init(contentsOf path: String) throws {
        self = try JSONDecoder().decode(Access.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Over HTTP/2 if the vendor has nothing else, as a configuration would choose.
    func client(of vendor: KilledVendor) throws -> PushClient {
        let provider = try vendor.provider(self)
        if provider.dataCenter.http2Services.isEmpty {
            var transport = CurlConfiguration()
            transport.caFile = caFile
            transport.maxInFlight = Self.mostInFlight
            return PushClient(provider, transport: try CurlTransport(transport))
        }
        var transport = HTTP2Configuration()
        transport.caFile = caFile
        transport.maxInFlight = Self.mostInFlight
        return PushClient(provider, transport: try HTTP2Transport(transport))
    }
}
