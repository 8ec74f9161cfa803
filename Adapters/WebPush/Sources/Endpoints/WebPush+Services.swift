import PushAdapter

extension WebPush {
    /// A push service: its hosts, and how it differs from others.
    public struct Service: Sendable, Hashable {
        /// The name, for people: `mozilla`.
        public var name: String
        /// Whole hosts in lower case, such as `push.example` or `::1`. One that begins with a dot stands for all names that
        /// end with it.
        public var hosts: [String]
        /// Whether the hosts are yours, such as a simulator on this machine. Only there, an endpoint may be http, have
        /// another port or be an address in numbers, and a connection may go to a private address.
        public var isPrivate = false
        /// The longest encrypted body that the service takes, in bytes: 103 more than the text. RFC 8030, section 7.2, has
        /// every service take 4,096. A longer text also needs a higher limit `payloadBytes`.
        public var longestBody = 4096
        /// The longest time for which the service keeps a message, in seconds. The adapter asks for no longer one.
        var longestLife = Int(Int32.max)
        /// Whether the service demands its own header field beside `TTL`.
        var hasCachePolicy = false
        /// The forms of its errors.
        var dialects: [WebPushDialect]

        /// A service of yours.
        /// - Parameters:
        ///   - name: the name in errors.
        ///   - hosts: its hosts; see ``hosts``.
        ///   - service: the known service that it behaves as; nil for any other, such as ntfy or your own autopush.
        ///   - isPrivate: see ``isPrivate``.
        public init(
            _ name: String, hosts: [String], as service: Service? = nil, isPrivate: Bool = false
        ) {
            self = service ?? .other
            (self.name, self.hosts, self.isPrivate) = (name, hosts, isPrivate)
        }

        private init(_ name: String, _ hosts: [String], _ dialects: [WebPushDialect], days: Int? = nil) {
            (self.name, self.hosts, self.dialects) = (name, hosts, dialects)
            if let days { longestLife = days * 86_400 }
        }

        func has(_ host: String) -> Bool {
            hosts.contains { $0.first == "." ? host.hasSuffix($0) && host.utf8.count > $0.utf8.count : host == $0 }
        }
    }
}

extension WebPush.Service {
    /// Firefox. The life is the service's; it tells shorter ones in its answer.
    public static let mozilla = Self(
        "mozilla", ["updates.push.services.mozilla.com", ".push.services.mozilla.com"], [.autopush], days: 30)
    /// Chrome and most browsers built on it. No page states the longest life; 28 days are FCM's.
    public static let google = Self("google", ["fcm.googleapis.com", "jmt17.google.com"], [.fcm], days: 28)
    /// Safari.
    public static let apple = Self("apple", [".push.apple.com"], [.apple], days: 30)
    /// Edge. Microsoft documents the service for Windows apps only.
    public static let microsoft: Self = {
        var service = Self("microsoft", [".notify.windows.com"], [.wns])
        // Microsoft's pages say so of native apps.
        service.longestBody = 5000
        service.hasCachePolicy = true
        return service
    }()
    /// Any other, such as ntfy or an autopush of one's own.
    static let other = Self("other", [], [.autopush, .ntfy])

    /// The services of the four makers of browsers.
    public static let known: [Self] = [mozilla, google, apple, microsoft]
}

extension WebPush {
    /// Where an endpoint is. Refuses with `invalidArgument` one that is not at an allowed host.
    func place(of endpoint: String) throws(PushError) -> (address: TargetAddress, service: Service) {
        guard endpoint.utf8.count <= EndpointRules.longestEndpoint else { throw EndpointRules.tooLong }
        let origin = try PlainOrigin(of: TargetAddress(endpoint).origin)
        let known = services.first { $0.has(origin.host) }
        if known?.isPrivate != true { try EndpointRules.checkPublic(origin) }
        guard let service = known ?? (allowsAnyPublicHost ? .other : nil) else {
            throw PushError(
                .invalidArgument,
                "the endpoint is at \(Redaction.quoted(origin.host)), which is no known push service; add the host to "
                    + "services, or set allowsAnyPublicHost for UnifiedPush")
        }
        return (try TargetAddress(endpoint, mustBePublic: !service.isPrivate), service)
    }

    /// Why a target cannot be sent to; nil if it can.
    func refusal(of target: Target) -> PushError? {
        do throws(PushError) {
            let subscription = try WebPushSubscription(DeviceID(target.text))
            _ = try place(of: subscription.endpoint)
            _ = try key(of: subscription)
            return nil
        } catch {
            return error
        }
    }
}
