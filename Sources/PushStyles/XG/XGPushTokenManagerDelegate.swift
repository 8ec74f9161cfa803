/// Receives a report of each call of TPNS's `XGPushTokenManager`, with the values that were to be written or were read;
/// a nil error means success. As in the SDK, every method is optional. So a method with a wrong signature compiles but
/// is never called; debug builds say so on standard error.
///
/// Errors are ``ResultError``s, as those of ``XGPushDelegate``. The methods are called on the manager's queue, one at a
/// time; they may call the manager.
public protocol XGPushTokenManagerDelegate: AnyObject, Sendable {
    /// Tags were added.
    func xgPushDidAppendTags(_ tags: [String], error: (any Error)?)
    /// Tags were removed.
    func xgPushDidDelTags(_ tags: [String], error: (any Error)?)
    /// The tags were replaced with these.
    func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?)
    /// All tags were removed.
    func xgPushDidClearTagsError(_ error: (any Error)?)
    /// One page of the device's tags, and how many it has.
    func xgPushDidQueryTags(_ tags: [String]?, totalCount: UInt, error: (any Error)?)
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
    public func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) { DelegateSignatures.noteDefault(of: self) }
    public func xgPushDidDelTags(_ tags: [String], error: (any Error)?) { DelegateSignatures.noteDefault(of: self) }
    public func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidClearTagsError(_ error: (any Error)?) { DelegateSignatures.noteDefault(of: self) }
    public func xgPushDidQueryTags(_ tags: [String]?, totalCount: UInt, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidClearAccountsError(_ error: (any Error)?) { DelegateSignatures.noteDefault(of: self) }
    public func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidDelAttributeKeys(_ attributeKeys: Set<String>, invalidKeys: [String]?, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidClearAttributes(withError error: (any Error)?) { DelegateSignatures.noteDefault(of: self) }
    public func xgPushDidClearAndAppendAttributes(
        _ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?
    ) { DelegateSignatures.noteDefault(of: self) }
}
