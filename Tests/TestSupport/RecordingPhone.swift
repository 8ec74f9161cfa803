public import Foundation
public import PushAdapter
public import PushSimulation

/// A phone that keeps its messages and reports nothing on its own.
public final class RecordingPhone: ConnectedPhone {
    private let record = Locked((received: [DeliveredMessage](), withdrawn: [String]()))

    public init() {}

    /// Every message that arrived.
    public var received: [DeliveredMessage] { record.withLock { $0.received } }
    /// The ids of the messages that the vendor took back.
    public var withdrawn: [String] { record.withLock { $0.withdrawn } }
    /// The messages that are still on the phone.
    public var shown: [DeliveredMessage] {
        record.withLock { record in record.received.filter { !record.withdrawn.contains($0.messageID) } }
    }

    public func receive(_ message: DeliveredMessage) { record.withLock { $0.received.append(message) } }
    public func withdraw(_ messageID: String) { record.withLock { $0.withdrawn.append(messageID) } }
}

/// Calls to a simulator without an adapter.
public struct DirectCalls<Simulator: ObservableSimulator>: Sendable {
    public let simulator: Simulator
    /// The prefix of all paths.
    public let root: String
    /// The value of the header field; empty for none.
    public var authorization: String
    public var now = Date(timeIntervalSince1970: 1_790_000_000)

    /// Calls with HTTP Basic.
    public init(_ simulator: Simulator, root: String = "", user: String, password: String) {
        (self.simulator, self.root) = (simulator, root)
        authorization = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// The path may have a query.
    public func ask(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> SimulatedResponse {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let headers: HTTPFields = authorization.isEmpty ? [:] : [.authorization: authorization]
        let request = SimulatedRequest(
            method: method, path: root + parts[0], query: parts.count == 2 ? parts[1] : "", headers: headers,
            body: Array(body.utf8))
        return await simulator.respond(to: request, at: now)
    }

    /// The body of the response; null if it is not JSON.
    public func json(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> JSONValue {
        (try? JSONValue(parsing: await ask(method, path, body).body)) ?? .null
    }

    /// The code in the body of a refusal; 0 for a success.
    public func code(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> Int {
        await json(method, path, body)["error"]?["code"]?.intValue ?? 0
    }
}
