import PushAdapter
import PushIO

/// An HTTP proxy, which leads to a server by `CONNECT`.
struct Proxy: Sendable {
    let host: String
    let port: UInt16
    /// The value of `Proxy-Authorization`.
    private let credentials: Secret?

    /// Reads `http://user:password@proxy:3128`; user and password are percent-encoded.
    init(_ address: Secret) throws(PushError) {
        let text = address.withBytes { String(decoding: $0, as: UTF8.self) }
        let malformed = PushError(.misconfigured, "the proxy is not http://host:port or http://user:password@host:port")
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2, text.hasPrefix("http://") else { throw malformed }
        do throws(PushError) {
            let origin = try Origin(of: parts.count == 2 ? "http://\(last)" : text)
            guard text.hasSuffix(origin.authority) || text.hasSuffix("\(origin.authority)/") else { throw malformed }
            (host, port) = (origin.host, origin.port)
        } catch {
            throw malformed
        }
        guard parts.count == 2 else {
            credentials = nil
            return
        }
        let halves = parts[0].dropFirst("http://".count).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = halves.first.flatMap({ PercentEncoding.decode($0) }),
            let password = halves.count == 2 ? PercentEncoding.decode(halves[1]) : ""
        else { throw malformed }
        credentials = Secret.basic(user, Secret(password))
    }

    /// The request for a tunnel to a server.
    func request(for origin: Origin) -> [UInt8] {
        // Always with the port, unlike in an address.
        let authority = "\(origin.host.contains(":") ? "[\(origin.host)]" : origin.host):\(origin.port)"
        var bytes = Array("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n".utf8)
        if let credentials {
            bytes += Array("Proxy-Authorization: ".utf8)
            credentials.withBytes { bytes += $0 }
            bytes += [0x0D, 0x0A]
        }
        return bytes + [0x0D, 0x0A]
    }

    /// Why a response, up to its empty line, opens no tunnel; nil if it opens one.
    static func refusal(in head: [UInt8]) -> ConnectionFailure? {
        let line = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self)
        let words = line.split(separator: " ", maxSplits: 2)
        guard line.hasPrefix("HTTP/1."), words.count >= 2, let status = Int(words[1]) else { return .noProxyResponse }
        return ConnectionFailure(proxyStatus: status)
    }
}
