import NIOCore
import NIOHPACK

extension HostileHTTP2 {
    // MARK: Responses

    @discardableResult
    package func answer(
        _ stream: Int, _ status: Int, _ body: [UInt8], headers: [(String, String)] = [], ending: Ending = .withData
    ) -> Bool {
        var fields = [(":status", String(status))]
        if ending != .never { fields.append(("content-length", String(body.count))) }
        fields += headers
        let isEmpty = body.isEmpty && ending == .withData
        guard write(encode(fields, indexing: .indexable), on: stream, isLast: isEmpty) else { return false }
        guard !isEmpty else { return true }
        var rest = body[...]
        repeat {
            let part = rest.prefix(16_384)
            rest = rest.dropFirst(part.count)
            guard data(stream, Array(part), isLast: rest.isEmpty && ending == .withData) else { return false }
        } while !rest.isEmpty
        switch ending {
        case .alone: return data(stream, [], isLast: true)
        case .withTrailers: return header(stream, [("x-trailer", "1")], isLast: true)
        case .withData, .never: return true
        }
    }

    /// Responds with the path of the request.
    @discardableResult
    package func echo(_ request: Request, ending: Ending = .withData) -> Bool {
        answer(request.stream, 200, Array(request.path.utf8), ending: ending)
    }

    /// Writes a header, an interim header, or trailers, with these fields in this order.
    @discardableResult
    package func header(_ stream: Int, _ fields: [(String, String)], isLast: Bool = false) -> Bool {
        write(encode(fields, indexing: .nonIndexable), on: stream, isLast: isLast)
    }

    @discardableResult
    package func data(_ stream: Int, _ bytes: [UInt8], isLast: Bool = false) -> Bool {
        send(.data, isLast ? 0x1 : 0, stream, bytes)
    }

    private func encode(_ fields: [(String, String)], indexing: HPACKIndexing) -> [UInt8] {
        var headers = HPACKHeaders()
        for (name, value) in fields { headers.add(name: name, value: value, indexing: indexing) }
        var buffer = ByteBuffer()
        guard (try? encoder.encode(headers: headers, to: &buffer)) != nil else { return [] }
        return Array(buffer.readableBytesView)
    }

    /// Writes a header block in as many frames as needed.
    private func write(_ block: [UInt8], on stream: Int, isLast: Bool) -> Bool {
        var rest = block[...]
        var type: FrameType = .headers
        repeat {
            let part = rest.prefix(16_384)
            rest = rest.dropFirst(part.count)
            let flags: UInt8 = (rest.isEmpty ? 0x4 : 0) | (isLast && type == .headers ? 0x1 : 0)
            guard send(type, flags, stream, Array(part)) else { return false }
            type = .continuation
        } while !rest.isEmpty
        return true
    }

    // MARK: Everything else

    /// Changes settings.
    @discardableResult
    package func change(_ settings: Settings) -> Bool {
        var payload: [UInt8] = []
        for (id, value) in settings {
            payload += Self.word(id.rawValue).suffix(2)
            payload += Self.word(value)
        }
        return send(.settings, 0, 0, payload)
    }

    /// Adds to the window of a stream. Stream 0 is the connection.
    @discardableResult
    package func grant(_ bytes: Int, to stream: Int) -> Bool { send(.windowUpdate, 0, stream, Self.word(bytes)) }

    /// Ends one stream with an error code.
    @discardableResult
    package func reset(_ stream: Int, code: UInt8) -> Bool { send(.resetStream, 0, stream, [0, 0, 0, code]) }

    /// Announces that streams above `last` were not processed.
    @discardableResult
    package func goAway(last: Int, code: UInt8 = 0, text: String = "") -> Bool {
        send(.goAway, 0, 0, Self.word(last) + Self.word(Int(code)) + Array(text.utf8))
    }

    /// Writes the same frame repeatedly without reading. Returns whether the system took all.
    @discardableResult
    package func flood(_ frame: Frame, times: Int) -> Bool {
        let batch = 500
        let one = frame.bytes
        var bytes: [UInt8] = []
        // Joining them byte by byte takes seconds in a debug build, and longer than the request beside other work.
        for _ in 0..<batch { bytes += one }
        for _ in 0..<(times / batch) {
            guard connection.write(bytes) else { return false }
        }
        return true
    }
}
