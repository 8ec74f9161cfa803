public import PushAdapter
public import PushConformance
import PushCrypto
public import PushSimulation
import PushWebPush
import WebPushSimulator

/// Web Push for the conformance kit: one push service with a browser for each device.
///
/// A device's id is its subscription, so the harness makes the subscriptions before the simulator that gets them. Their
/// endpoints are at the origin of `InProcessTransport`, or at several hosts in turn. The adapter sends
/// all requests to the simulator, whatever their origin is.
public struct WebPushHarness: ConformanceHarness {
    /// A push service whose errors the adapter reads in their own form.
    public enum Service: String, Sendable, CaseIterable {
        /// Mozilla, for Firefox.
        case mozilla
        /// Google, for Chrome and others.
        case google
        /// Apple, for Safari.
        case apple
        /// Microsoft, for Edge on Windows.
        case microsoft
        /// ntfy, for UnifiedPush.
        case ntfy

        /// How the simulator answers.
        var profile: WebPushProfile {
            switch self {
            case .mozilla: .mozilla
            case .google: .google
            case .apple: .apple
            case .microsoft: .windows
            case .ntfy: .ntfy
            }
        }

        /// As which the adapter takes the simulator's host; nil for a service that it does not know.
        var known: WebPush.Service? {
            switch self {
            case .mozilla: .mozilla
            case .google: .google
            case .apple: .apple
            case .microsoft: .microsoft
            case .ntfy: nil
            }
        }

        /// The surfaces of its codes in the table.
        var surfaces: Set<String> {
            switch self {
            case .mozilla: ["autopush", "autopush-message"]
            case .google: ["fcm-web"]
            case .apple: ["apple-web"]
            case .microsoft: ["wns-web"]
            case .ntfy: ["unifiedpush-ntfy"]
            }
        }
    }

    /// The host of the simulator, and of all endpoints if the harness has no others.
    static let host = String(InProcessTransport.origin.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" })
    static let subject = "mailto:push@news.example.com"
    /// The sender's key in the example of RFC 8291, section 5. A device's id names the key, and is the same in every
    /// process.
    static let key = Result { () throws(PushError) in
        try WebPushKey(Secret("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    }
    /// The browsers' subscriptions by service and number, and by device id.
    private static let browsers = Locked<[String: BrowserSubscription]>([:])

    let service: Service
    private let hosts: [String]

    /// Creates the harness for a service with the documented answers.
    /// - Parameters:
    ///   - service: how the simulator answers.
    ///   - hosts: where the devices' endpoints are, in turn; by default at the simulator.
    public init(_ service: Service = .mozilla, hosts: [String] = []) {
        (self.service, self.hosts) = (service, hosts.isEmpty ? [Self.host] : hosts)
    }

    /// The adapter with the server's key, which takes the hosts as the service's.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try adapter(Self.key.get(), Self.subject, at: origin)
    }

    func adapter(_ key: WebPushKey, _ subject: String, at origin: String) throws(PushError) -> WebPush {
        var webpush = try WebPush(key, subject: subject, dataCenter: WebPush.dataCenters.standard.moved(to: origin))
        webpush.services = [
            WebPush.Service(service.rawValue, hosts: hosts, as: service.known, isPrivate: true)
        ]
        return webpush
    }

    /// The service with these devices. A device that the harness did not make has no subscription.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        WebPushSimulator(
            service.profile, browsers: devices.compactMap { device in Self.browser(device.id).map { (device, $0) } })
    }

    /// A browser; its id is the JSON of a subscription.
    public func device(_ number: Int) -> VirtualDevice {
        let origin = "https://" + hosts[number % hosts.count]
        let name = "\(service) \(number)" + (origin == InProcessTransport.origin ? "" : " at \(origin)")
        let made = Self.browsers.withLock { browsers -> (subscription: BrowserSubscription, id: String)? in
            let known = browsers[name]
            guard let key = try? Self.key.get(), let point = Base64URL.decode(key.publicKey),
                let subscription = known ?? subscription(name, at: origin, for: point),
                let target = try? WebPushSubscription(json: subscription.json, vapidKey: key.id)
            else { return nil }
            (browsers[name], browsers[target.deviceID.rawValue]) = (subscription, subscription)
            return (subscription, target.deviceID.rawValue)
        }
        return VirtualDevice(made?.id ?? name, "web")
    }

    /// The request with the text that its browser decrypts.
    public func opened(_ request: WireRequest) -> WireRequest {
        guard let address = request.address, case .bytes(let body, _) = request.body,
            let browser = Self.browsers.withLock({ $0.values.first { $0.endpoint.hasSuffix(address.pathAndQuery) } }),
            let text = try? browser.text(of: body)
        else { return request }
        var copy = request
        copy.body = .json(text)
        return copy
    }

    /// A digest of the message's address, where the service names messages by that alone.
    public func reportedID(of message: String) -> MessageID {
        guard let path = service.profile.messagePath else { return MessageID(message) }
        return MessageID(
            Digests.hex(Digests.sha256(Array((InProcessTransport.origin + path + message).utf8)).prefix(16)))
    }

    /// The subscription of a browser: the same for a name in every process, and without a random number of a
    /// simulation, which could not be repeated otherwise.
    private func subscription(_ name: String, at origin: String, for serverKey: [UInt8]) -> BrowserSubscription? {
        var digest = StableDigest()
        digest.add(name)
        let random = Locked(SplitMix(seed: digest.mixed))
        return SimulatorRandom.$source.withValue(RandomSource { random.withLock { $0.next() } }) {
            try? BrowserSubscription.generate(at: origin, by: service.profile, applicationServerKey: serverKey)
        }
    }

    static func browser(_ id: String) -> BrowserSubscription? { browsers.withLock { $0[id] } }

    /// The lines of the private key.
    public var secrets: [String] {
        let pem = (try? Self.key.get())?.privateKey.withBytes { String(decoding: $0, as: UTF8.self) } ?? ""
        return pem.split(separator: "\n").map(String.init).filter { !$0.contains("-----") && $0.count > 32 }
    }

    /// Options of the vendor, and the credential of the simulator's origin.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.scopes = [.origin(InProcessTransport.origin, key: (try? Self.key.get().id) ?? "")]
        samples.mayKnowDevicesLater = service == .ntfy
        samples.options = ["collapseID": "kit"]
        samples.optionMessages = Self.options
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let shown: JSONValue = ["title": "T", "body": "B"]
        let loud: JSONValue = [
            "notification": [
                "navigate": "https://news.example.com/7", "tag": "note", "lang": "en-GB", "dir": "ltr",
                "icon": "https://news.example.com/i.png", "badge": "https://news.example.com/b.png",
                "vibrate": [100, 50], "timestamp": 1_795_132_800_000, "renotify": true, "requireInteraction": true,
                "actions": [["action": "open", "title": "Open", "navigate": "https://news.example.com/8"]],
            ],
            "collapseID": "kit", "urgency": "low", "mutable": true, "app_badge": 3,
        ]
        return [loud, ["notification": ["silent": true]]].map {
            (["notification": shown, "options": ["webpush": $0]], nil)
        }
    }()
}
