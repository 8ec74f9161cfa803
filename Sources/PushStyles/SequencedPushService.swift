public import Dispatch
public import FoundationEssentials
import PushAdapter
public import PushDevice

/// The calls of JPush's and MTPush's device SDKs (`JPUSHService`, `APService`, `MTPushService`) over any vendor: each
/// with a completion, most with a sequence number that comes back.
///
/// The service calls every completion exactly once, on the queue and never from inside the call. Completions come one
/// at a time, in the order in which results become known. With nil instead of a completion, the call is still made. The
/// code is 0 for a success and only then, and otherwise one of ``ResultCodes``. `seq` comes back as given and is not a
/// key: two calls may have the same.
///
/// ```swift
/// let service = SequencedPushService(DeviceSession(client, device: id, rules: .jpush))
/// service.addTags(["vip"], completion: { code, tags, seq in print(code, seq) }, seq: 1)
/// ```
///
/// Tags are sets of strings, as in the SDKs. Swift treats two spellings of an accented letter as equal; the vendors do
/// not.
///
/// Services over one session share the state that an SDK keeps once for an app: the delegates, the app's extension, the
/// pages on the screen, the app group, the log level. A second service takes nothing from the first, and neither does
/// an ``XGTokenManager``.
///
/// Calls that concern only the device, such as local notifications and page statistics, need a `Phone` as the
/// session's host; without one they do nothing. Refusals for which the SDKs have no completion become lines of the
/// phone's log.
public final class SequencedPushService: Sendable {
    /// The device, its rules and the vendor.
    public let session: DeviceSession
    let queue: DispatchQueue
    /// The state that the SDK keeps once for the app.
    let state: StyleState
    var log: StyleLog { state.log }

    /// Makes the calls of one device.
    /// - Parameters:
    ///   - session: the device, its rules and the vendor.
    ///   - queue: the serial queue on which completions are called. The main queue, as on a device, must be drained by
    ///     an asynchronous `main` or by `dispatchMain()`. ``privateQueue()`` needs nothing.
    public init(_ session: DeviceSession, queue: DispatchQueue = .main) {
        self.session = session
        self.queue = queue
        state = session.styles
    }

    /// Creates a serial queue, for programs that do not drain the main queue.
    public static func privateQueue() -> DispatchQueue { DispatchQueue(label: "pushbridge.completions") }

    // MARK: Tags

    /// Adds tags to those that the device has; nil and empty are refused with 6001.
    public func addTags(_ tags: Set<String>?, completion: JPUSHTagsOperationCompletion?, seq: Int) {
        make(.addTags(tags?.sorted())) { code, _ in completion?(code, tags, seq) }
    }

    /// Replaces the device's tags with these; nil and empty are refused with 6001.
    public func setTags(_ tags: Set<String>?, completion: JPUSHTagsOperationCompletion?, seq: Int) {
        make(.setTags(tags?.sorted())) { code, _ in completion?(code, tags, seq) }
    }

    /// Removes tags; nil and empty are refused with 6001.
    public func deleteTags(_ tags: Set<String>?, completion: JPUSHTagsOperationCompletion?, seq: Int) {
        make(.deleteTags(tags?.sorted())) { code, _ in completion?(code, tags, seq) }
    }

    /// Removes all tags; the completion gets no tags.
    public func cleanTags(_ completion: JPUSHTagsOperationCompletion?, seq: Int) {
        make(.cleanTags) { code, _ in completion?(code, nil, seq) }
    }

    /// Reads all tags.
    public func getAllTags(_ completion: JPUSHTagsOperationCompletion?, seq: Int) {
        make(.getAllTags) { code, answer in
            let tags: Set<String>? = if case .tags(let tags) = answer { Set(tags.map(\.rawValue)) } else { nil }
            completion?(code, tags, seq)
        }
    }

    /// Checks whether the device has a tag; nil and empty are refused with 6001.
    public func validTag(_ tag: String?, completion: JPUSHTagValidOperationCompletion?, seq: Int) {
        make(.validTag(tag)) { code, answer in
            let hasTag = if case .hasTag(true) = answer { true } else { false }
            completion?(code, tag.map { [$0] }, seq, hasTag)
        }
    }

    /// The valid tags of a set; if there are more than a call takes, the first ones in byte order. Sends nothing.
    public func filterValidTags(_ tags: Set<String>) -> Set<String> {
        guard has(.filterTags, "filterValidTags") else { return [] }
        return Set(session.validTags(of: tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }))
    }

    // MARK: Alias

    /// Sets the device's alias; nil and empty are refused with 6001.
    public func setAlias(_ alias: String?, completion: JPUSHAliasOperationCompletion?, seq: Int) {
        make(.setAlias(alias)) { code, _ in completion?(code, alias, seq) }
    }

    /// Removes the alias; the completion gets no alias.
    public func deleteAlias(_ completion: JPUSHAliasOperationCompletion?, seq: Int) {
        make(.deleteAlias) { code, _ in completion?(code, nil, seq) }
    }

    /// Reads the alias; nil for none.
    public func getAlias(_ completion: JPUSHAliasOperationCompletion?, seq: Int) {
        make(.getAlias) { code, answer in
            let alias: String? = if case .alias(let alias) = answer { alias?.rawValue } else { nil }
            completion?(code, alias, seq)
        }
    }

    // MARK: Tags and alias together

    /// Sets both: nil leaves a half unchanged, empty clears it. A vendor that takes both in one request sets both or
    /// neither, after a request that reads the tags; elsewhere the code is that of the half that failed, and the other
    /// half may be set.
    public func setTags(_ tags: Set<String>?, alias: String?, fetchCompletionHandle: TagsAliasCallback?) {
        if let code = refusal(of: .overlayBlock) {
            return queue.async { fetchCompletionHandle?(code, tags, alias) }
        }
        overlay(tags, alias, fetchCompletionHandle)
    }

    /// The same in the oldest form, whose selector is a closure here. Without the closure or the object, no result is
    /// reported.
    public func setTags(
        _ tags: Set<String>?, alias: String?, callbackSelector: TagsAliasCallback?, object: AnyObject?
    ) {
        overlay(tags, alias, object == nil ? nil : callbackSelector)
    }

    /// Sets only the tags in the oldest form, so that an alias cannot make the call fail: empty clears them, nil is
    /// refused.
    public func setTags(_ tags: Set<String>?, callbackSelector: TagsAliasCallback?, object: AnyObject?) {
        let callback = object == nil ? nil : callbackSelector
        make(.overlayTags(tags?.sorted())) { code, _ in callback?(code, tags, nil) }
    }

    /// Sets only the alias in the oldest form: empty removes it, nil is refused.
    public func setAlias(_ alias: String?, callbackSelector: TagsAliasCallback?, object: AnyObject?) {
        let callback = object == nil ? nil : callbackSelector
        make(.overlayAlias(alias)) { code, _ in callback?(code, nil, alias) }
    }

    /// Sets both in the background and retries until it succeeds; the newest update counts. Reports no result, not even
    /// a refusal: `session.submitInBackground` does.
    public func setTags(_ tags: Set<String>?, aliasInbackground alias: String?) {
        session.submitInBackground(tags: tags?.sorted(), alias: alias, on: queue)
    }

    // MARK: Registration

    /// The device's id; empty until it is registered.
    public func registrationID() -> String {
        has(.registrationID, "registrationID") ? session.device?.rawValue ?? "" : ""
    }

    /// Reports the device's id: at once, or when the running registration has ended. Reports 1011 and nil if there is
    /// neither: start the session first.
    public func registrationIDCompletionHandler(
        _ completionHandler: (@Sendable (_ resCode: Int, _ registrationID: String?) -> Void)?
    ) {
        if let code = refusal(of: .registration) {
            return queue.async { completionHandler?(code, nil) }
        }
        session.whenRegistered(on: queue) { result in
            switch result {
            case .success(let device): completionHandler?(ResultCodes.success, device.rawValue)
            case .failure(let fault): completionHandler?(ResultCodes.code(for: fault, of: .registration), nil)
            }
        }
    }

    /// Reports every registration from now on, as the notification `kAPNetworkDidRegisterNotification` does: the id is
    /// under `RegistrationID`.
    public func networkDidRegister(_ observer: @escaping @Sendable (_ userInfo: [String: String]) -> Void) {
        session.onRegistration(on: queue) { registration in
            observer(["RegistrationID": registration.device.rawValue])
        }
    }

    // MARK: The device

    /// Stores the number from which the vendor counts the badge; the icon does not change.
    /// - Returns: whether the number is in its range, not the result of the call.
    @discardableResult
    public func setBadge(_ value: Int) -> Bool {
        make(.setBadge(value)) { _, _ in }
        return session.isBadge(value)
    }

    /// The same as `setBadge(0)`.
    public func resetBadge() { setBadge(0) }

    /// Sends the vendor the token for VoIP pushes; reports no result.
    public func registerVoipToken(_ voipToken: Data?) { make(.voipToken(voipToken.map(Array.init))) { _, _ in } }

    /// Sends the vendor the token that starts Live Activities with one type of attributes.
    public func registerLiveActivity(
        _ activityAttributes: String?, pushToStartToken: Data?, completion: MTPLiveActivityTokenCompletion?, seq: Int
    ) {
        make(.liveActivityStart(attributes: activityAttributes, token: pushToStartToken.map(Array.init))) { code, _ in
            completion?(code, activityAttributes, pushToStartToken, seq)
        }
    }

    /// Sends the vendor the token of one Live Activity; call it again whenever the token changes. Nil means that the
    /// activity has ended. An id of more than 24 bytes is refused.
    public func registerLiveActivity(
        _ liveActivityId: String?, pushToken: Data?, completion: MTPLiveActivityTokenCompletion?, seq: Int
    ) {
        make(.liveActivityUpdate(id: liveActivityId, token: pushToken.map(Array.init))) { code, _ in
            completion?(code, liveActivityId, pushToken, seq)
        }
    }

    // MARK: Others

    /// Binds a phone number; nil and empty unbind it. The completion gets nil for a success.
    public func setMobileNumber(_ mobileNumber: String?, completion: (@Sendable (_ error: ResultError?) -> Void)?) {
        submit(.setPhone(mobileNumber)) { code, fault, _ in
            completion?(fault.map { ResultError(code: code, error: $0.error) })
        }
    }

    /// Sends the vendor the user's language, such as `zh_Hans`. The handler gets 0 and nil for a success.
    public func setUserLanguage(
        _ language: String?, completionHandler: (@Sendable (_ resCode: Int, _ error: ResultError?) -> Void)?
    ) {
        submit(.setLanguage(language)) { code, fault, _ in
            completionHandler?(code, fault.map { ResultError(code: code, error: $0.error) })
        }
    }

    // MARK: Steps

    private func overlay(_ tags: Set<String>?, _ alias: String?, _ callback: TagsAliasCallback?) {
        make(.overlay(tags: tags?.sorted(), alias: alias)) { code, _ in callback?(code, tags, alias) }
    }

    /// The code that says that the generation does not have a call; nil if it has the call.
    private func refusal(of kind: SessionCall.Kind) -> Int? {
        session.refusal(of: kind).map { ResultCodes.code(for: $0, of: kind) }
    }

    private func make(
        _ call: SessionCall, _ report: @escaping @Sendable (_ code: Int, _ answer: SessionAnswer?) -> Void
    ) {
        submit(call) { code, _, answer in report(code, answer) }
    }

    /// Makes a call and reports its code, with the fault or the answer. A failed half of an overlay is a failure.
    private func submit(
        _ call: SessionCall, _ report: @escaping @Sendable (Int, SessionFault?, SessionAnswer?) -> Void
    ) {
        session.submit(call, on: queue) { [log = self.log] result in
            let (fault, answer): (SessionFault?, SessionAnswer?) =
                switch result {
                case .failure(let fault): (fault, nil)
                case .success(.halves(let halves)): (halves.failure, nil)
                case .success(let answer): (nil, answer)
                }
            let code = fault.map { ResultCodes.code(for: $0, of: call.kind) } ?? ResultCodes.success
            log.write("\(call.kind): \(code)", .detail)
            report(code, fault, answer)
        }
    }
}
