public import PushCore

/// What TPNS's `XGPush` tells: registration, connection, queries, badge, the end of the service. Every method has an
/// empty default.
///
/// The methods are called on the manager's queue, one at a time; they may call the manager.
public protocol XGPushDelegate: AnyObject, Sendable {
    /// The registration ended: with the system's token and the one of TPNS, or with an error.
    func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: PushError?)
    /// The registration failed.
    func xgPushDidFailToRegisterDeviceToken(withError error: PushError?)
    /// The lasting connection is up.
    func xgPushNetworkConnected()
    /// The service was stopped.
    func xgPushDidFinishStop(_ isSuccess: Bool, error: PushError?)
    /// The badge was stored at the vendor.
    func xgPushDidSetBadge(_ isSuccess: Bool, error: PushError?)
    /// One page of the device's tags, and how many it has.
    func xgPushDidQueryTags(_ tags: [String]?, totalCount: Int, error: PushError?)
}

extension XGPushDelegate {
    public func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: PushError?) {}
    public func xgPushDidFailToRegisterDeviceToken(withError error: PushError?) {}
    public func xgPushNetworkConnected() {}
    public func xgPushDidFinishStop(_ isSuccess: Bool, error: PushError?) {}
    public func xgPushDidSetBadge(_ isSuccess: Bool, error: PushError?) {}
    public func xgPushDidQueryTags(_ tags: [String]?, totalCount: Int, error: PushError?) {}
}

/// What TPNS's `XGPushTokenManager` tells of each write, with what was to be written; nil for no error. Every method
/// has an empty default.
///
/// The methods are called on the manager's queue, one at a time; they may call the manager.
public protocol XGPushTokenManagerDelegate: AnyObject, Sendable {
    /// Tags were added.
    func xgPushDidAppendTags(_ tags: [String], error: PushError?)
    /// Tags were taken off.
    func xgPushDidDelTags(_ tags: [String], error: PushError?)
    /// The tags were made exactly these.
    func xgPushDidClearAndAppendTags(_ tags: [String], error: PushError?)
    /// All tags were taken off.
    func xgPushDidClearTagsError(_ error: PushError?)
    /// Accounts were bound; also for a phone number, under type 1002.
    func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: PushError?)
    /// The accounts of some types were unbound.
    func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: PushError?)
    /// All accounts were unbound.
    func xgPushDidClearAccountsError(_ error: PushError?)
    /// Attributes were set, but for those that the app does not have.
    func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: PushError?)
    /// Attributes were taken off, but for those that the app does not have.
    func xgPushDidDelAttributeKeys(_ attributeKeys: Set<String>, invalidKeys: [String]?, error: PushError?)
    /// All attributes were taken off.
    func xgPushDidClearAttributes(withError error: PushError?)
    /// The attributes were made exactly these, but for those that the app does not have.
    func xgPushDidClearAndAppendAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: PushError?)
}

extension XGPushTokenManagerDelegate {
    public func xgPushDidAppendTags(_ tags: [String], error: PushError?) {}
    public func xgPushDidDelTags(_ tags: [String], error: PushError?) {}
    public func xgPushDidClearAndAppendTags(_ tags: [String], error: PushError?) {}
    public func xgPushDidClearTagsError(_ error: PushError?) {}
    public func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: PushError?) {}
    public func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: PushError?) {}
    public func xgPushDidClearAccountsError(_ error: PushError?) {}
    public func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: PushError?) {}
    public func xgPushDidDelAttributeKeys(_ attributeKeys: Set<String>, invalidKeys: [String]?, error: PushError?) {}
    public func xgPushDidClearAttributes(withError error: PushError?) {}
    public func xgPushDidClearAndAppendAttributes(
        _ attributes: [String: String], invalidKeys: [String]?, error: PushError?
    ) {}
}
