import HostileServer
import PushAdapter
import Testing

/// A server's unusual response, frame by frame.
struct Reply: Sendable, CustomTestStringConvertible {
    enum Part: Sendable {
        /// A header, an interim header, or trailers.
        case header([(String, String)])
        /// A header that ends the stream.
        case lastHeader([(String, String)])
        case data(String)
        case lastData(String)
        /// Any frame on the request's stream, with its flags.
        case own(HostileHTTP2.FrameType, UInt8, [UInt8])
        /// Any frame on another stream. 0 is the connection.
        case frame(HostileHTTP2.FrameType, UInt8, Int, [UInt8])
        /// A frame with one byte more than the client accepts.
        case tooLong(HostileHTTP2.FrameType)

        static let ok = Part.header([(":status", "200")])
        static let lastOK = Part.lastHeader([(":status", "200")])
    }

    let testDescription: String
    let method: HTTPRequest.Method
    let parts: [Part]

    init(_ name: String, method: HTTPRequest.Method = .post, _ parts: Part...) {
        testDescription = name
        self.method = method
        self.parts = parts
    }
}

extension HostileHTTP2 {
    func write(_ reply: Reply, on stream: Int) {
        for part in reply.parts { write(part, on: stream) }
    }

    func write(_ part: Reply.Part, on stream: Int) {
        switch part {
        case .header(let fields): header(stream, fields)
        case .lastHeader(let fields): header(stream, fields, isLast: true)
        case .data(let text): data(stream, Array(text.utf8))
        case .lastData(let text): data(stream, Array(text.utf8), isLast: true)
        case .own(let type, let flags, let payload): send(type, flags, stream, payload)
        case .frame(let type, let flags, let other, let payload): send(type, flags, other, payload)
        case .tooLong(let type):
            let count = clientSettings[.frameSize] ?? 16_384
            send(type, 0, stream, [UInt8](repeating: 0, count: count + 1))
        }
    }
}

// In the header blocks below, 0x88 is the field `:status: 200`, and 0x00 begins a literal field.

extension Reply {
    /// Unusual but correct responses. Each has the body `ok`.
    static let fine: [Reply] = [
        Reply("no length", .ok, .lastData("ok")),
        Reply("an end in a frame of its own", .ok, .data("ok"), .lastData("")),
        Reply("trailers", .ok, .data("ok"), .lastHeader([("x-trailer", "1")])),
        Reply(
            "a length and trailers", .header([(":status", "200"), ("content-length", "2")]), .data("ok"),
            .lastHeader([("x-trailer", "1")])),
        Reply("a byte at a time, with empty frames", .ok, .data(""), .data("o"), .data(""), .lastData("k")),
        Reply(
            "interim responses", .header([(":status", "100")]), .header([(":status", "103"), ("link", "a")]),
            .header([(":status", "103")]), .ok, .lastData("ok")),
        Reply("padding", .own(.headers, 0xC, [2, 0x88, 0, 0]), .own(.data, 0x9, [3, 0x6F, 0x6B, 0, 0, 0])),
        Reply(
            "padding and nothing else", .ok, .own(.data, 0x8, [4, 0, 0, 0, 0]), .own(.data, 0x8, [0]), .lastData("ok")),
        Reply("a header with a priority", .own(.headers, 0x24, [0, 0, 0, 0, 15, 0x88]), .lastData("ok")),
        Reply(
            "a header in three frames", .own(.headers, 0, [0x88, 0x00]), .own(.continuation, 0, [0x01, 0x61, 0x01]),
            .own(.continuation, 0x4, [0x62]), .lastData("ok")),
        Reply(
            "a header whose last frame is empty", .own(.headers, 0, [0x88]), .own(.continuation, 0x4, []),
            .lastData("ok")),
        Reply(
            "unknown frames", .frame(0x42, 0xFF, 0, [1, 2, 3]), .own(0x42, 0xFF, []), .ok, .own(0xFA, 0, [1]),
            .frame(0x10, 0, 0, [0, 0, 0, 1]), .lastData("ok")),
        Reply(
            "unknown settings", .frame(.settings, 0, 0, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]), .ok,
            .lastData("ok")),
        Reply("a setting twice", .frame(.settings, 0, 0, [0, 3, 0, 0, 0, 5, 0, 3, 0, 0, 0, 50]), .ok, .lastData("ok")),
        Reply(
            "frames about the connection", .frame(.ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]), .ok,
            .frame(.settings, 0, 0, []), .own(.priority, 0, [0, 0, 0, 0, 1]), .own(.windowUpdate, 0, [0, 0, 0, 1]),
            .frame(.windowUpdate, 0, 0, [0, 0, 0, 1]), .lastData("ok")),
        Reply(
            "an answer to a PING that was never sent", .frame(.ping, 1, 0, [8, 7, 6, 5, 4, 3, 2, 1]), .ok,
            .lastData("ok")),
        Reply("NO_ERROR after the end", .ok, .lastData("ok"), .own(.resetStream, 0, [0, 0, 0, 0])),
        Reply(
            "a table that is emptied and grows again", .own(.headers, 0x4, [0x20, 0x3F, 0xE1, 0x1F, 0x88]),
            .lastData("ok")),
    ]

    /// Responses without a body, whatever the length says.
    static let bodiless: [Reply] = [
        Reply("HEAD with a length", method: .head, .lastHeader([(":status", "200"), ("content-length", "500")])),
        Reply(
            "HEAD that ends in a frame of its own", method: .head,
            .header([(":status", "200"), ("content-length", "500")]), .lastData("")),
        Reply("204", .lastHeader([(":status", "204")])),
        Reply("204 that ends in a frame of its own", .header([(":status", "204")]), .lastData("")),
        Reply("304 with a length", method: .get, .lastHeader([(":status", "304"), ("content-length", "500")])),
        Reply("200 with nothing", .lastOK),
        Reply("a length of 0", .lastHeader([(":status", "200"), ("content-length", "0")])),
    ]

    /// Headers that a client must not accept.
    static let badHeaders: [Reply] = [
        Reply("no status", .lastHeader([("x-a", "b")])),
        Reply("two statuses", .lastHeader([(":status", "200"), (":status", "200")])),
        Reply("a status that is no number", .lastHeader([(":status", "abc")])),
        Reply("a status of two digits", .lastHeader([(":status", "20")])),
        Reply("a status of four digits", .lastHeader([(":status", "2000")])),
        Reply("an empty status", .lastHeader([(":status", "")])),
        Reply("a status with a sign", .lastHeader([(":status", "+20")])),
        Reply("101", .lastHeader([(":status", "101")])),
        Reply("101 and a response", .header([(":status", "101")]), .ok, .lastData("ok")),
        Reply("a name in uppercase", .header([(":status", "200"), ("X-Upper", "1")]), .lastData("ok")),
        Reply("connection", .header([(":status", "200"), ("connection", "close")]), .lastData("ok")),
        Reply("keep-alive", .header([(":status", "200"), ("keep-alive", "timeout=5")]), .lastData("ok")),
        Reply("proxy-connection", .header([(":status", "200"), ("proxy-connection", "close")]), .lastData("ok")),
        Reply("transfer-encoding", .header([(":status", "200"), ("transfer-encoding", "chunked")]), .lastData("ok")),
        Reply("upgrade", .header([(":status", "200"), ("upgrade", "h2c")]), .lastData("ok")),
        Reply("a pseudo field after a regular one", .lastHeader([("x-a", "b"), (":status", "200")])),
        Reply("a pseudo field of requests", .lastHeader([(":status", "200"), (":path", "/")])),
        Reply("an unknown pseudo field", .lastHeader([(":status", "200"), (":x", "1")])),
        Reply("an interim response that ends the stream", .lastHeader([(":status", "103")])),
        Reply("a body after an interim response", .header([(":status", "103")]), .lastData("ok")),
        Reply(
            "a length in an interim response", .header([(":status", "103"), ("content-length", "1")]), .ok,
            .lastData("o")),
        Reply("trailers with a pseudo field", .ok, .data("ok"), .lastHeader([(":status", "200")])),
        Reply("trailers in uppercase", .ok, .data("ok"), .lastHeader([("X-Trailer", "1")])),
        Reply("trailers that end nothing", .ok, .data("ok"), .header([("x-trailer", "1")]), .lastData("")),
    ]

    /// Bodies whose length differs from the header's.
    static let badLengths: [Reply] = [
        Reply("too short", .header([(":status", "200"), ("content-length", "3")]), .lastData("ok")),
        Reply("too long", .header([(":status", "200"), ("content-length", "1")]), .lastData("ok")),
        Reply(
            "too short, with trailers", .header([(":status", "200"), ("content-length", "3")]), .data("ok"),
            .lastHeader([("x-trailer", "1")])),
        Reply("missing", .lastHeader([(":status", "200"), ("content-length", "3")])),
        Reply(
            "said twice", .header([(":status", "200"), ("content-length", "2"), ("content-length", "2")]),
            .lastData("ok")),
        Reply(
            "said twice, once wrong", .header([(":status", "200"), ("content-length", "2"), ("content-length", "3")]),
            .lastData("ok")),
        Reply("negative", .header([(":status", "200"), ("content-length", "-2")]), .lastData("ok")),
        Reply("no number", .header([(":status", "200"), ("content-length", "two")]), .lastData("ok")),
        Reply("a list", .header([(":status", "200"), ("content-length", "2, 2")]), .lastData("ok")),
        Reply("a body of 204", .header([(":status", "204")]), .lastData("ok")),
        Reply(
            "a body of HEAD", method: .head, .header([(":status", "200"), ("content-length", "2")]), .lastData("ok")),
    ]

    /// Frames that end a connection, whichever stream they are on.
    static let badFrames: [Reply] = [
        Reply("DATA of the connection", .frame(.data, 0, 0, [1])),
        Reply("DATA of a stream that was never opened", .frame(.data, 0, 99, [1])),
        Reply("DATA before the header", .own(.data, 0x1, [1])),
        Reply("DATA with more padding than bytes", .ok, .own(.data, 0x9, [5, 0])),
        Reply("DATA with padding of no length", .ok, .own(.data, 0x9, [])),
        Reply("DATA that is too long", .ok, .tooLong(.data)),
        Reply("an unknown frame that is too long", .tooLong(0x42)),
        Reply("HEADERS of the connection", .frame(.headers, 0x5, 0, [0x88])),
        Reply("HEADERS of a stream of the server", .frame(.headers, 0x5, 2, [0x88])),
        Reply("HEADERS of a stream that was never opened", .frame(.headers, 0x5, 99, [0x88])),
        Reply("HEADERS with more padding than bytes", .own(.headers, 0xD, [200, 0x88])),
        Reply("HEADERS too short for their priority", .own(.headers, 0x25, [0, 0])),
        Reply("HEADERS that are too long", .tooLong(.headers)),
        Reply("PRIORITY of the connection", .frame(.priority, 0, 0, [0, 0, 0, 0, 1])),
        Reply("RST_STREAM of three bytes", .own(.resetStream, 0, [0, 0, 7])),
        Reply("RST_STREAM of the connection", .frame(.resetStream, 0, 0, [0, 0, 0, 7])),
        Reply("RST_STREAM of a stream that was never opened", .frame(.resetStream, 0, 99, [0, 0, 0, 7])),
        Reply("SETTINGS of five bytes", .frame(.settings, 0, 0, [0, 3, 0, 0, 0])),
        Reply("SETTINGS of a stream", .own(.settings, 0, [])),
        Reply("SETTINGS with an acknowledgment and a value", .frame(.settings, 1, 0, [0, 3, 0, 0, 0, 1])),
        Reply("PUSH_PROMISE", .own(.pushPromise, 0x4, [0, 0, 0, 2, 0x82, 0x87, 0x84])),
        Reply("PING of seven bytes", .frame(.ping, 0, 0, [1, 2, 3, 4, 5, 6, 7])),
        Reply("PING of a stream", .own(.ping, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
        Reply("GOAWAY of seven bytes", .frame(.goAway, 0, 0, [0, 0, 0, 1, 0, 0, 0])),
        Reply("GOAWAY of a stream", .own(.goAway, 0, [0, 0, 0, 1, 0, 0, 0, 0])),
        Reply("WINDOW_UPDATE of three bytes", .own(.windowUpdate, 0, [0, 0, 1])),
        Reply("WINDOW_UPDATE of 0 for the connection", .frame(.windowUpdate, 0, 0, [0, 0, 0, 0])),
        Reply("WINDOW_UPDATE of a stream that was never opened", .frame(.windowUpdate, 0, 99, [0, 0, 0, 1])),
        Reply("a window of the connection beyond 2^31 - 1", .frame(.windowUpdate, 0, 0, [0x7F, 0xFF, 0xFF, 0xFF])),
        Reply("CONTINUATION of nothing", .own(.continuation, 0x4, [0x88])),
        Reply("CONTINUATION after the header", .ok, .own(.continuation, 0x4, [0x88])),
        Reply("CONTINUATION of another stream", .own(.headers, 0, [0x88]), .frame(.continuation, 0x4, 99, [])),
        Reply("DATA inside a header", .own(.headers, 0, [0x88]), .own(.data, 0x1, [1])),
        Reply("PING inside a header", .own(.headers, 0, [0x88]), .frame(.ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
        Reply("an unknown frame inside a header", .own(.headers, 0, [0x88]), .frame(0x42, 0, 0, [])),
    ]

    /// Invalid settings.
    static let badSettings: [Reply] = [
        Reply("push of 2", .frame(.settings, 0, 0, [0, 2, 0, 0, 0, 2])),
        Reply("push, by a server", .frame(.settings, 0, 0, [0, 2, 0, 0, 0, 1])),
        Reply("a window of 2^31", .frame(.settings, 0, 0, [0, 4, 0x80, 0, 0, 0])),
        Reply("frames of 16,383 bytes", .frame(.settings, 0, 0, [0, 5, 0, 0, 0x3F, 0xFF])),
        Reply("frames of 2^24 bytes", .frame(.settings, 0, 0, [0, 5, 1, 0, 0, 0])),
    ]

    /// Headers that cannot be decompressed.
    static let badCompression: [Reply] = [
        Reply("field 0", .own(.headers, 0x5, [0x88, 0x80])),
        Reply("a field that does not exist", .own(.headers, 0x5, [0x88, 0xBE])),
        Reply(
            "a field with a huge number",
            .own(.headers, 0x5, [0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])),
        Reply("a name that does not exist", .own(.headers, 0x5, [0x88, 0x7F, 0x7F, 0x01, 0x61])),
        Reply("a table that is too large", .own(.headers, 0x5, [0x3F, 0xE1, 0xFF, 0xFF, 0x03, 0x88])),
        Reply("a table size behind a field", .own(.headers, 0x5, [0x88, 0x20])),
        Reply("a text that ends too early", .own(.headers, 0x5, [0x88, 0x00, 0x01, 0x61, 0x7F, 0x61])),
        Reply("a field without its value", .own(.headers, 0x5, [0x88, 0x00, 0x01, 0x61])),
        Reply(
            "a Huffman code for the end", .own(.headers, 0x5, [0x88, 0x00, 0x01, 0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
        Reply(
            "a Huffman code with a byte of padding", .own(.headers, 0x5, [0x88, 0x00, 0x01, 0x61, 0x82, 0x1F, 0xFF])),
    ]

    /// Frames after which the client may end one stream or the connection.
    static let badWindows: [Reply] = [
        Reply("an increment of 0", .own(.windowUpdate, 0, [0, 0, 0, 0])),
        Reply("a window beyond 2^31 - 1", .own(.windowUpdate, 0, [0x7F, 0xFF, 0xFF, 0xFF])),
        Reply(
            "a window beyond 2^31 - 1, by SETTINGS", .frame(.settings, 0, 0, [0, 4, 0, 0, 0, 0]),
            .own(.windowUpdate, 0, [0x7F, 0xFF, 0xFF, 0xFF]), .frame(.settings, 0, 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])),
        Reply("PRIORITY of four bytes", .own(.priority, 0, [0, 0, 0, 0])),
    ]

    /// Frames on a stream that has ended.
    static let late: [Reply] = [
        Reply("DATA", .lastData("late")),
        Reply("a header", .lastOK),
        Reply("a header and DATA", .ok, .lastData("late")),
        Reply("RST_STREAM", .own(.resetStream, 0, [0, 0, 0, 2])),
        Reply("WINDOW_UPDATE", .own(.windowUpdate, 0, [0, 0, 0, 1])),
        Reply("PRIORITY", .own(.priority, 0, [0, 0, 0, 0, 1])),
    ]
}
