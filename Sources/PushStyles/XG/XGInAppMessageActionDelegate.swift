public import PushAdapter

/// Receives the buttons of in-app messages: TPNS's `XGInAppMessageActionDelegate`.
///
/// The method is called on the manager's queue. It is the delegate's only one, so it has no default.
public protocol XGInAppMessageActionDelegate: AnyObject, Sendable {
    /// The user pressed the button of an in-app message, which has these parameters.
    func onClick(withCustomAction action: [String: JSONValue]?)
}
