import NIOCore
import NIOHPACK
import NIOHTTP2
import PushAdapter
import PushSimulation

extension SimulatedRequest {
    /// A request with a host and a target as the client wrote them.
    init(method: HTTPRequest.Method, authority: String, target: String, headers: HTTPFields, body: [UInt8]) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            method: method, host: String(authority.split(separator: ":", omittingEmptySubsequences: false)[0]),
            path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : "", headers: headers, body: body)
    }

    /// A request from its header in HTTP/2. Nil if the method is invalid.
    init?(_ head: HPACKHeaders, _ body: [UInt8], over connection: SimulatedConnection) {
        guard let method = head.first(name: ":method").flatMap({ HTTPRequest.Method($0) }) else { return nil }
        var headers = HTTPFields()
        for field in head where !field.name.hasPrefix(":") {
            guard let name = HTTPField.Name(field.name) else { continue }
            headers.append(HTTPField(name: name, value: field.value))
        }
        self.init(
            method: method, authority: head.first(name: ":authority") ?? head.first(name: "host") ?? "",
            target: head.first(name: ":path") ?? "/", headers: headers, body: body)
        self.connection = connection
    }
}

extension HTTP2Frame.FramePayload {
    /// The header of a response.
    static func head(of response: SimulatedResponse, isLast: Bool = false) -> Self {
        var fields = HPACKHeaders([(":status", String(response.status))])
        // HTTP/2 has lower case only.
        for field in response.headers { fields.add(name: field.name.canonicalName, value: field.value) }
        return .headers(Headers(headers: fields, endStream: isLast))
    }

    /// A part of a body.
    static func body(_ bytes: [UInt8], isLast: Bool = false) -> Self {
        .data(Data(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: isLast))
    }
}

extension NIOHTTP2Handler {
    /// The handler of a server that reads bodies up to a length, and notices longer ones.
    static func server(streamLimit: Int, mostBytes: Int) -> NIOHTTP2Handler {
        var connection = ConnectionConfiguration()
        connection.initialSettings = [
            SignalWriter.setting(streamLimit),
            HTTP2Setting(parameter: .initialWindowSize, value: mostBytes + (1 << 20)),
        ]
        var stream = StreamConfiguration()
        // Tests cancel many requests at once, and faults refuse many.
        connection.maximumRecentlyResetStreams = 1_024
        connection.maximumConnectionGlitches = .max
        connection.controlFrameRateLimit.maximumCount = 2_000
        stream.streamResetFrameRateLimit.maximumCount = 2_000
        stream.streamErrorRateLimit.maximumCount = 2_000
        return NIOHTTP2Handler(mode: .server, connectionConfiguration: connection, streamConfiguration: stream)
    }
}
