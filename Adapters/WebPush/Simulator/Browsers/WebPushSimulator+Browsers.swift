public import FoundationEssentials
public import PushAdapter
import PushCrypto
public import PushSimulation

/// Browsers: pages that subscribe, and phones.
extension WebPushSimulator {
    /// Subscribes a page in the browser of a device, which is installed if it is unknown. The same key again gives the
    /// same subscription.
    ///
    /// Refuses with `invalidArgument` a key that is no point on P-256, and with `invalidState` another key while a
    /// subscription lives, as browsers do.
    /// - Parameters:
    ///   - device: the device.
    ///   - applicationServerKey: the key of the server that may send, 65 bytes; nil for any.
    ///   - now: the moment.
    @discardableResult
    public func subscribe(
        _ device: VirtualDevice, applicationServerKey: [UInt8]?, at now: Date
    ) throws(PushError) -> BrowserSubscription {
        if devices[device.id] == nil { install(device) }
        if let subscription = homes[device.id] {
            guard subscription.applicationServerKey == applicationServerKey else {
                throw PushError(
                    .invalidState, "the page is subscribed with another applicationServerKey; unsubscribe it first")
            }
            return subscription
        }
        let subscription = try BrowserSubscription.generate(
            at: origin, by: profile, applicationServerKey: applicationServerKey)
        add(subscription, of: device.id, at: now)
        return subscription
    }

    /// The subscription of a device; nil for none.
    public func subscription(of device: String) -> BrowserSubscription? { homes[device] }

    /// Ends the subscription of a device. Pushes to its endpoint are refused from now on.
    public func unsubscribe(_ device: String) {
        guard let subscription = homes.removeValue(forKey: device) else { return }
        subscriptions[Self.target(of: subscription.endpoint)]?.end()
    }

    /// Gives the subscription of a device new keys under its old endpoint, as a reinstalled Safari does. Nil for a
    /// device without a subscription.
    public func renewKeys(of device: String) throws(PushError) -> BrowserSubscription? {
        guard let renewed = try homes[device]?.renewed() else { return nil }
        homes[device] = renewed
        subscriptions[Self.target(of: renewed.endpoint)]?.keys = renewed.keys
        return renewed
    }

    /// Gives the page of a device a new subscription in the place of the old, as a browser does on its own. Nil for a
    /// device without a subscription.
    public func refresh(_ device: String, at now: Date) throws(PushError) -> BrowserSubscription? {
        guard let old = homes[device], let state = devices[device] else { return nil }
        unsubscribe(device)
        return try subscribe(state.device, applicationServerKey: old.applicationServerKey, at: now)
    }

    /// The ids of the messages that the service stores for a device, oldest first.
    public func storedMessages(of device: String) -> [String] {
        homes[device].flatMap { subscriptions[Self.target(of: $0.endpoint)]?.stored.map(\.id) } ?? []
    }

    // MARK: Steps

    private func dropExpired(at now: Date) {
        nextExpiry = .distantFuture
        for target in Set(places.values) {
            for message in subscriptions[target]?.stored ?? [] {
                if message.until > now { nextExpiry = min(nextExpiry, message.until) } else { forget(message.id) }
            }
        }
    }

    private func add(_ subscription: BrowserSubscription, of device: String, at now: Date) {
        homes[device] = subscription
        subscriptions[Self.target(of: subscription.endpoint)] = Subscription(subscription, of: device, created: now)
    }

    /// The path and the query of an endpoint, byte for byte.
    static func target(of endpoint: String) -> String {
        guard let scheme = endpoint.firstRange(of: "://") else { return endpoint }
        return String(endpoint[scheme.upperBound...].drop { $0 != "/" })
    }

    /// When the browser of a subscription was last connected.
    func lastSeen(_ subscription: Subscription, at now: Date) -> Date {
        switch subscription.holder {
        case .device(let id):
            devices[id]?.device.isOnline == true ? now : devices[id]?.lastOnlineAt ?? subscription.created ?? now
        case .channel(_, let agent):
            agents[agent]?.session != nil ? now : agents[agent]?.lastSeen ?? now
        }
    }
}

extension Subscription {
    init(_ subscription: BrowserSubscription, of device: String, created: Date?) {
        self.init(
            holder: .device(device), serverKey: subscription.applicationServerKey, created: created,
            keys: subscription.keys)
    }
}

/// Phones. A service hears nothing from pages, so the reports of phones do not count.
extension WebPushSimulator: DeviceSimulator {
    /// Drops messages whose life is over, and closes sessions that never said hello.
    public func settle(at now: Date) {
        if now >= nextExpiry { dropExpired(at: now) }
        closeSilentSessions(at: now)
    }

    /// Shows the messages that the service stored for a device. If they are more than the service keeps, the browser
    /// loses its subscription and all waiting messages.
    public func deliverWaiting(to device: String, at now: Date) {
        guard let subscription = homes[device] else { return }
        let target = Self.target(of: subscription.endpoint)
        let stored = subscriptions[target]?.stored ?? []
        guard stored.count <= profile.backlog ?? .max else { return unsubscribe(device) }
        for message in stored {
            forget(message.id)
            show(message, at: target)
        }
    }

    /// The pushes that each subscription of a device may still get.
    public func quotas(at now: Date) -> [QuotaReading] {
        guard let limit = profile.pushes else { return [] }
        return homes.sorted { $0.key < $1.key }.compactMap { device, subscription in
            subscriptions[Self.target(of: subscription.endpoint)]?.rate.reading("pushes to \(device)", limit, now)
        }
    }
}
