public import FoundationEssentials

/// A browser's connection to the service, in the protocol of Mozilla's autopush: frames of text in, frames of text out.
///
/// A server of WebSockets passes every frame of a browser to ``receive(_:at:)``, and writes the session's output.
/// Its channels are subscriptions of the simulator, to which senders push as usual. The simulator does not have their
/// keys, so only the browser's acknowledgments tell whether a message could be decrypted.
public struct AutopushSession: Sendable {
    /// The output for the browser.
    public enum Output: Sendable, Hashable {
        /// A frame of text.
        case text(String)
        /// The end of the connection, with this code. Firefox does not connect again after 4774.
        case close(code: Int)
    }

    let simulator: WebPushSimulator
    let number: Int

    /// Takes a frame of the browser. Ignores it after the end of the session.
    public func receive(_ text: String, at now: Date) async { await simulator.receive(text, over: number, at: now) }

    /// Takes note that the connection closed. Messages wait for the browser from now on.
    public func close(at now: Date) async { await simulator.closed(number, at: now) }

    /// Codes with which the service closes a connection.
    enum CloseCode {
        /// The browser said something that has no place here. [?] Autopush's code is not documented.
        static let protocolError = 1002
        /// The browser connected anew.
        static let replaced = 1000
        /// The browser must not connect again. [?] Taken for too many pings.
        static let stayAway = 4774
    }

    /// The seconds for which the service waits for the first frame.
    static let helloSeconds = 5.0
    /// The least seconds between two pings.
    static let pingSeconds = 45.0
    /// Stored messages that the service sends before it waits for their acknowledgments.
    static let batch = 10
}

/// A browser that came over a session.
struct UserAgent {
    /// The endpoints of its channels.
    var channels: [String: String] = [:]
    var lastSeen: Date
    /// The number of its session; nil while it is not connected.
    var session: Int?
}

/// A session as the service sees it.
struct OpenSession {
    let send: @Sendable (AutopushSession.Output) -> Void
    let opened: Date
    /// Nil until the browser said hello.
    var agent: String?
    var lastPing: Date?
    /// Messages that were sent and not acknowledged.
    var inFlight: Set<String> = []
}
