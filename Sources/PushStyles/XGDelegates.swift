/// Receives the reports of TPNS's `XGPush`: registration, connection, queries, badge, the end of the service. Every
/// method has an empty default, so a method with a wrong signature compiles but is never called. Errors are
/// `PushError`s.
///
/// The methods are called on the manager's queue, one at a time; they may call the manager.
public protocol XGPushDelegate: AnyObject, Sendable {
    /// The device is registered, with the system's token and its id at the vendor. `error` is nil; a failure has its
    /// own method.
    func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?)
    /// The registration failed.
    func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?)
    /// The persistent connection is up.
    func xgPushNetworkConnected()
    /// The service was stopped.
    func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?)
    /// The badge was stored at the vendor.
    func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?)
    /// One page of the device's tags, and how many it has.
    func xgPushDidQueryTags(_ tags: [String]?, totalCount: UInt, error: (any Error)?)
}

extension XGPushDelegate {
    public func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {}
    public func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?) {}
    public func xgPushNetworkConnected() {}
    public func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?) {}
    public func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?) {}
    public func xgPushDidQueryTags(_ tags: [String]?, totalCount: UInt, error: (any Error)?) {}
}

/// Receives a report of each write of TPNS's `XGPushTokenManager`, with what was to be written; a nil error means
/// success. Every method has an empty default.
///
/// The methods are called on the manager's queue, one at a time; they may call the manager.
public protocol XGPushTokenManagerDelegate: AnyObject, Sendable {
    /// Tags were added.
    func xgPushDidAppendTags(_ tags: [String], error: (any Error)?)
    /// Tags were removed.
    func xgPushDidDelTags(_ tags: [String], error: (any Error)?)
    /// The tags were replaced with these.
    func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?)
    /// All tags were removed.
    func xgPushDidClearTagsError(_ error: (any Error)?)
    /// Accounts were bound; also for a phone number, under type 1002.
    func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: (any Error)?)
    /// The accounts of some types were unbound.
    func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: (any Error)?)
    /// All accounts were unbound.
    func xgPushDidClearAccountsError(_ error: (any Error)?)
    /// Attributes were set, except those that the app does not have.
    func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?)
    /// Attributes were removed, except those that the app does not have.
    func xgPushDidDelAttributeKeys(_ attributeKeys: Set<String>, invalidKeys: [String]?, error: (any Error)?)
    /// All attributes were removed.
    func xgPushDidClearAttributes(withError error: (any Error)?)
    /// The attributes were replaced with these, except those that the app does not have.
    func xgPushDidClearAndAppendAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?)
}

extension XGPushTokenManagerDelegate {
    public func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) {}
    public func xgPushDidDelTags(_ tags: [String], error: (any Error)?) {}
    public func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?) {}
    public func xgPushDidClearTagsError(_ error: (any Error)?) {}
    public func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: (any Error)?) {}
    public func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: (any Error)?) {}
    public func xgPushDidClearAccountsError(_ error: (any Error)?) {}
    public func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?) {
    }
    public func xgPushDidDelAttributeKeys(_ attributeKeys: Set<String>, invalidKeys: [String]?, error: (any Error)?) {}
    public func xgPushDidClearAttributes(withError error: (any Error)?) {}
    public func xgPushDidClearAndAppendAttributes(
        _ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?
    ) {}
}
