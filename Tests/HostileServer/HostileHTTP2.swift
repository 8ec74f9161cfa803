import NIOCore
package import NIOHPACK

/// HTTP/2 on one connection of a hostile server, frame by frame.
package final class HostileHTTP2 {
    package struct Request {
        package var stream: Int
        package var headers: HPACKHeaders
        package var body: [UInt8]

        package func header(_ name: String) -> String? { headers.first(name: name) }
    }

    /// How a response ends its stream.
    package enum Ending {
        /// With the last bytes.
        case withData
        /// In a separate frame, as many servers and proxies do.
        case alone
        /// Never, and without a length.
        case never
    }

    private let connection: HostileConnection
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var open: [Int: (headers: HPACKHeaders, body: [UInt8])] = [:]
    /// Streams that the client reset.
    package private(set) var resets: [Int] = []

    /// Nil if the client does not begin with the HTTP/2 preface.
    package init?(_ connection: HostileConnection) {
        self.connection = connection
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        guard connection.read(preface.count) == preface else { return nil }
        // Windows large enough for everything the tests send.
        frame(0x4, 0, 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        frame(0x8, 0, 0, [0x3F, 0xFF, 0xFF, 0xFF])
    }

    /// Reads frames until a request is complete; nil when the connection ends.
    package func request() -> Request? {
        while let head = connection.read(9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let (type, flags) = (head[3], head[4])
            let stream = Int(head[5] & 0x7F) << 24 | Int(head[6]) << 16 | Int(head[7]) << 8 | Int(head[8])
            guard var payload = length == 0 ? [] : connection.read(length) else { return nil }
            if type <= 1, flags & 0x8 != 0, let padding = payload.first {
                payload = Array(payload.dropFirst().dropLast(Int(padding)))
            }
            switch type {
            case 0x0: open[stream]?.body += payload
            case 0x1:
                if flags & 0x20 != 0 { payload.removeFirst(5) }
                guard flags & 0x4 != 0 else { return nil }
                var block = ByteBuffer(bytes: payload)
                guard let headers = try? decoder.decodeHeaders(from: &block) else { return nil }
                open[stream] = (headers, [])
            case 0x3:
                resets.append(stream)
                open[stream] = nil
            case 0x4 where flags & 1 == 0: frame(0x4, 1, 0, [])
            case 0x6 where flags & 1 == 0: frame(0x6, 1, 0, payload)
            case 0x7: return nil
            default: break
            }
            if type <= 1, flags & 1 != 0, let request = open.removeValue(forKey: stream) {
                return Request(stream: stream, headers: request.headers, body: request.body)
            }
        }
        return nil
    }

    /// Writes one frame; returns whether the system took it.
    @discardableResult
    package func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> Bool {
        let count = payload.count
        let head: [UInt8] = [
            UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags, UInt8(stream >> 24 & 0x7F),
            UInt8(stream >> 16 & 255), UInt8(stream >> 8 & 255), UInt8(stream & 255),
        ]
        return connection.write(head + payload)
    }

    @discardableResult
    package func answer(
        _ stream: Int, _ status: Int, _ body: [UInt8], headers: [(String, String)] = [], ending: Ending = .withData
    ) -> Bool {
        var fields = HPACKHeaders([(":status", String(status))])
        if ending != .never { fields.add(name: "content-length", value: String(body.count)) }
        for (name, value) in headers { fields.add(name: name, value: value) }
        var block = ByteBuffer()
        guard (try? encoder.encode(headers: fields, to: &block)) != nil else { return false }
        let isEmpty = body.isEmpty && ending == .withData
        guard frame(0x1, isEmpty ? 0x5 : 0x4, stream, Array(block.readableBytesView)) else { return false }
        guard !isEmpty else { return true }
        var rest = body[...]
        repeat {
            let part = rest.prefix(16_384)
            rest = rest.dropFirst(part.count)
            let isLast = rest.isEmpty && ending == .withData
            guard frame(0x0, isLast ? 1 : 0, stream, Array(part)) else { return false }
        } while !rest.isEmpty
        return ending == .alone ? frame(0x0, 1, stream, []) : true
    }

    /// Ends one stream with an error code.
    package func reset(_ stream: Int, code: UInt8) { frame(0x3, 0, stream, [0, 0, 0, code]) }

    /// Says that streams above `last` were not processed.
    package func goAway(last: Int, code: UInt8 = 0) {
        frame(
            0x7, 0, 0,
            [UInt8(last >> 24), UInt8(last >> 16 & 255), UInt8(last >> 8 & 255), UInt8(last & 255), 0, 0, 0, code])
    }
}
