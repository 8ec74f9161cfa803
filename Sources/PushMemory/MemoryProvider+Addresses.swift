import FoundationEssentials
public import PushAdapter

extension MemoryProvider {
    /// Returns the address of a device, with a path below `/v1/at/`.
    public typealias Addressing = @Sendable (DeviceID) throws(PushError) -> TargetAddress

    /// The same provider for devices with addresses of their own, as the targets of Web Push have.
    ///
    /// A send takes one device, and goes to the device's address. Each origin has a quota of its own, whose size is
    /// unknown, and accepts only its own token.
    public func reachingDevices(at address: @escaping Addressing) -> MemoryProvider {
        var provider = self
        provider.address = address
        provider.capabilities.limits[.devicesPerSend]?.maximum = 1
        return provider
    }

    /// Sends an exchange to the address of its device, if devices have addresses.
    func addressed<Output>(_ exchange: Exchange<Output>, to audience: Audience) throws(PushError) -> Exchange<Output> {
        guard let address, case .devices(let devices) = audience, devices.count == 1 else { return exchange }
        let place = try address(devices[0])
        var exchange = exchange
        exchange.request.address = place
        exchange.credential = .origin(place.origin, key: "memory")
        exchange.charges = [QuotaCharge(.origin(of: place))]
        return exchange
    }

    /// Tokens for an hour. One for an origin names it.
    static let tokens = TokenMinting(renewalMargin: .seconds(60)) { (scope, now) throws(PushError) in
        let name = if case .origin(let origin, _) = scope { origin } else { scope.name }
        return .made(AccessToken(Secret(name), mintedAt: now, expiresAt: now.addingTimeInterval(3600)))
    }

    /// The proof that the vendor accepts at an origin: its key, and the name of the origin.
    static func proof(_ key: Secret, _ origin: Secret) -> Secret {
        Secret(key.withBytes { Array($0) } + Array("@".utf8) + origin.withBytes { Array($0) })
    }
}
