public import PushAdapter
public import PushClient

extension PushClient {
    /// Creates a client for sessions under rules with aliases and phone numbers, such as JPush's, at a vendor that has
    /// accounts instead, such as TPNS.
    ///
    /// It replaces four settings: the provider's account type for aliases, the ledger that knows their names, the
    /// accepted losses (`setAlias`, `audienceAliases`), and the sessions' consent to phone numbers as accounts. A
    /// session with a consent of its own does not use this one.
    ///
    /// ```swift
    /// let client = PushClient(standingIn: tpns, ledger: MemoryLedger(), transport: try CurlTransport())
    /// let session = DeviceSession(client, device: id, rules: .jpush)
    /// try await session.run(.setAlias("ann"))
    /// ```
    /// - Parameters:
    ///   - provider: the vendor.
    ///   - aliasAccountType: the account type that stands for aliases; your own, used for nothing else.
    ///   - ledger: stores the settings that the vendor confirmed and cannot list.
    ///   - transport: shut down together with the client.
    ///   - configuration: the client's other settings.
    public convenience init(
        standingIn provider: some AccountStandIns, aliasAccountType: Int = 1, ledger: any DeviceLedger,
        transport: any HTTPTransport, configuration: ClientConfiguration = ClientConfiguration()
    ) {
        var configuration = configuration
        configuration.ledger = ledger
        configuration.acceptedLosses.formUnion([.setAlias, .audienceAliases])
        self.init(
            provider.standingForAliases(accountType: aliasAccountType), transport: transport,
            configuration: configuration)
        let consent = SessionConsent(phoneAccountType: type(of: provider).phoneAccountType)
        _ = attachments.value { consent }
    }

    /// The consent of sessions that have none of their own.
    var sessionConsent: SessionConsent { attachments.value { SessionConsent() } }
}
