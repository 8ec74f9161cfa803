public import PushAdapter

/// A message that an app shows itself. A vendor's console makes it and no server call sends it, so a test hands it to the
/// phone.
public struct InAppMessage: Sendable, Hashable {
    /// Its title.
    public var title: String
    /// Its text.
    public var body: String
    /// The parameters that the app gets when the user presses the button.
    public var parameters: [String: JSONValue]

    /// A message with a button.
    public init(title: String, body: String, parameters: [String: JSONValue] = [:]) {
        self.title = title
        self.body = body
        self.parameters = parameters
    }
}
