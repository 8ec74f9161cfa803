public import PushCore

/// Receives the buttons of in-app messages: TPNS's `XGInAppMessageActionDelegate`.
///
/// The method is called on the manager's queue.
public protocol XGInAppMessageActionDelegate: AnyObject, Sendable {
    /// The user pressed the button of an in-app message, which has these parameters.
    func onClick(withCustomAction action: [String: JSONValue]?)
}

extension XGInAppMessageActionDelegate {
    public func onClick(withCustomAction action: [String: JSONValue]?) { DelegateSignatures.noteDefault(of: self) }
}
