import NIOCore
import NIOHTTP1
import PushAdapter

/// Decides who may open a WebSocket.
enum WebSocketHandshake {
    /// The fields of the response; nil for a refusal.
    ///
    /// Any page that the user opens can reach a port of this machine, and then sends its own origin. Firefox's push
    /// service sends the address of the WebSocket, and other programs send none.
    static func response(to head: HTTPRequestHead, on address: SocketAddress?) -> HTTPHeaders? {
        guard let port = address?.port else { return nil }
        let authority = "127.0.0.1:\(port)"
        let own = ["ws://\(authority)", "ws://\(authority)/"]
        guard head.method == .GET, head.uri == "/", head.headers["Host"] == [authority],
            head.headers["Origin"].allSatisfy(own.contains)
        else { return nil }
        let protocols = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        return protocols.contains("push-notification") ? ["Sec-WebSocket-Protocol": "push-notification"] : [:]
    }
}
