import NIOCore
import NIOHPACK

/// HTTP/2 on one connection of a hostile server, frame by frame.
///
/// It acknowledges SETTINGS and PING, reads requests, and records the rules that the client breaks. The script decides
/// what it writes, right or wrong.
package final class HostileHTTP2 {
    package struct Request: Sendable {
        package var stream: Int
        package var fields: [(name: String, value: String)]
        package var body: [UInt8] = []

        package var path: String { header(":path") ?? "" }
        package func header(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    package let connection: HostileConnection
    private var decoder: HPACKDecoder
    var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private let journal: HTTP2Journal?
    private let number: Int

    /// Requests with an incomplete body, by stream.
    private var open: [Int: Request] = [:]
    /// Requests with a complete header, and below the fully complete requests, until the script takes them.
    private var heads: [Request] = []
    private var complete: [Request] = []
    /// A header block that continues in the next frame.
    private var block: (stream: Int, isLast: Bool, bytes: [UInt8])?
    private var lastStream = 0
    private var dead: Set<Int> = []
    private var pings = 0

    /// The settings that the client has acknowledged, and below those that it has not, in order.
    private var settings: [Setting: Int] = [:]
    private var offered: [[Setting: Int]] = []
    /// The window granted by WINDOW_UPDATE, by stream. 0 is the connection.
    private var granted: [Int: Int] = [:]
    /// Frames waiting to be written in one piece.
    private var held: [UInt8]?

    /// Streams that the client reset.
    package private(set) var resets: [Int] = []
    /// Streams that the client opened and that neither side has ended.
    package private(set) var active: Set<Int> = []
    package private(set) var mostActive = 0
    /// Bytes of bodies, by stream. 0 is the connection.
    package private(set) var received: [Int: Int] = [:]
    package private(set) var clientSettings: [Setting: Int] = [:]
    package var answersPings = true

    /// Nil if the client does not begin with the HTTP/2 preface. The default windows are large enough for everything
    /// that the tests send.
    ///
    /// - Parameters:
    ///   - settings: the first SETTINGS frame; nil for none.
    ///   - window: the increment of the connection's window.
    ///   - bytes: more bytes to send in the same piece.
    ///   - number: the connection's number in the journal.
    package init?(
        _ connection: HostileConnection, settings: Settings? = [(.window, 0x7FFF_FFFF)], window: Int = 0x3FFF_FFFF,
        followedBy bytes: [UInt8] = [], journal: HTTP2Journal? = nil, number: Int = 1
    ) {
        self.connection = connection
        self.journal = journal
        self.number = number
        let tableSize = settings?.last { $0.0 == .tableSize }?.1 ?? 4_096
        decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(), maxDynamicTableSize: min(tableSize, 65_536), maxHeaderListSize: 1 << 20)
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        guard connection.read(preface.count) == preface else { return nil }
        together {
            if let settings { change(settings) }
            if window > 0 { grant(window, to: 0) }
            held? += bytes
        }
    }

    // MARK: Reading

    /// Reads frames until a request is complete. Nil if the connection ends.
    package func request() -> Request? {
        while complete.isEmpty {
            guard read() != nil else { return nil }
        }
        let request = complete.removeFirst()
        heads.removeAll { $0.stream == request.stream }
        return request
    }

    /// Reads frames until this many requests are complete. Returns fewer if the connection ends.
    package func requests(_ count: Int) -> [Request] {
        var requests: [Request] = []
        while requests.count < count, let request = request() { requests.append(request) }
        return requests
    }

    /// Reads frames until the header of another request is complete.
    package func head() -> Request? {
        while heads.isEmpty {
            guard read() != nil else { return nil }
        }
        return heads.removeFirst()
    }

    /// Reads frames until the client has reacted to everything that it received: it answers three PINGs in turn.
    @discardableResult
    package func settle() -> Bool {
        for _ in 0..<3 {
            pings += 1
            let question: [UInt8] = Self.word(0x7365_7474) + Self.word(pings)
            guard send(.ping, 0, 0, question) else { return false }
            while true {
                guard let answer = read() else { return false }
                if answer.type == .ping, answer.flags & 1 != 0, answer.payload == question { break }
            }
        }
        return true
    }

    /// Reads one frame and reacts as every server does. Nil if the connection ends or the frame is unreadable.
    package func read() -> Frame? {
        guard let head = connection.read(9) else { return nil }
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let stream = Int(head[5] & 0x7F) << 24 | Int(head[6]) << 16 | Int(head[7]) << 8 | Int(head[8])
        guard let payload = length == 0 ? [] : connection.read(length) else { return nil }
        let frame = Frame(type: FrameType(integerLiteral: head[3]), flags: head[4], stream: stream, payload: payload)
        journal?.note(frame, on: number)
        if length > limit(.frameSize, 16_384) { violate("a frame of \(length) bytes") }
        if block != nil, frame.type != .continuation { violate("a frame inside a header block") }
        return take(frame) ? frame : nil
    }

    private func take(_ frame: Frame) -> Bool {
        let isFlagged = frame.flags & 1 != 0
        switch frame.type {
        case .data:
            takeData(frame)
            if isFlagged { finish(frame.stream) }
        case .headers:
            begin(frame.stream)
            let bytes = frame.flags & 0x20 != 0 ? Array(frame.content.dropFirst(5)) : frame.content
            block = (frame.stream, isFlagged, bytes)
            return frame.flags & 0x4 == 0 || endBlock()
        case .continuation:
            block?.bytes += frame.payload
            return frame.flags & 0x4 == 0 || endBlock()
        case .resetStream:
            if !dead.insert(frame.stream).inserted { violate("a second RST_STREAM of stream \(frame.stream)") }
            resets.append(frame.stream)
            open[frame.stream] = nil
            active.remove(frame.stream)
        case .settings where isFlagged:
            guard !offered.isEmpty else { return true }
            settings.merge(offered.removeFirst()) { $1 }
            if let size = settings[.tableSize] { decoder.maxDynamicTableLength = min(size, 65_536) }
        case .settings:
            clientSettings.merge(frame.settings) { $1 }
            if let size = clientSettings[.tableSize] { try? encoder.setDynamicTableSize(min(size, 4_096)) }
            send(.settings, 1, 0, [])
        case .ping where !isFlagged && answersPings: send(.ping, 1, 0, frame.payload)
        default: break
        }
        return true
    }

    private func begin(_ stream: Int) {
        // These may be the trailers of a request, although no test sends any.
        guard open[stream] == nil else { return }
        if stream <= lastStream || stream % 2 == 0 { violate("stream \(stream) after stream \(lastStream)") }
        if active.count >= limit(.streams, Int.max) { violate("more streams than allowed") }
        lastStream = stream
        active.insert(stream)
        mostActive = max(mostActive, active.count)
    }

    private func endBlock() -> Bool {
        guard let (stream, isLast, bytes) = block else { return false }
        block = nil
        var buffer = ByteBuffer(bytes: bytes)
        guard let headers = try? decoder.decodeHeaders(from: &buffer) else {
            violate("a header block that cannot be read")
            return false
        }
        if open[stream] == nil {
            let request = Request(stream: stream, fields: headers.map { ($0.name, $0.value) })
            open[stream] = request
            heads.append(request)
            journal?.note(request, on: number)
        }
        if isLast { finish(stream) }
        return true
    }

    private func takeData(_ frame: Frame) {
        if dead.contains(frame.stream) { violate("DATA after RST_STREAM") }
        let size = frame.payload.count
        guard size > 0 else { return }
        func window(_ stream: Int, _ initial: Int) -> Int {
            initial + granted[stream, default: 0] - received[stream, default: 0]
        }
        if size > min(window(frame.stream, limit(.window, 65_535)), window(0, 65_535)) {
            violate("DATA beyond the window")
        }
        for stream in [0, frame.stream] { received[stream, default: 0] += size }
        open[frame.stream]?.body += frame.content
    }

    private func finish(_ stream: Int) {
        if let request = open.removeValue(forKey: stream) { complete.append(request) }
    }

    /// The highest value allowed for a setting. The client may use a new value before its acknowledgment arrives.
    private func limit(_ setting: Setting, _ standard: Int) -> Int {
        max(settings[setting] ?? standard, offered.compactMap { $0[setting] }.max() ?? 0)
    }

    private func violate(_ rule: String) { journal?.violate("connection \(number): \(rule)") }

    // MARK: Writing

    /// Writes one frame. Returns whether the system took it.
    @discardableResult
    package func send(_ type: FrameType, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> Bool {
        let frame = Frame(type: type, flags: flags, stream: stream, payload: payload)
        switch type {
        case .data where flags & 1 != 0, .headers where flags & 1 != 0, .resetStream: active.remove(stream)
        case .settings where flags & 1 == 0: offered.append(frame.settings)
        case .windowUpdate where payload.count == 4: granted[stream, default: 0] += Self.number(payload[...])
        default: break
        }
        guard held == nil else {
            held? += frame.bytes
            return true
        }
        return connection.write(frame.bytes)
    }

    /// Writes one frame of any type.
    @discardableResult
    package func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> Bool {
        send(FrameType(integerLiteral: type), flags, stream, payload)
    }

    /// Writes all frames of `body` in one piece, so that the client reads them together.
    package func together(_ body: () -> Void) {
        held = []
        body()
        let bytes = held ?? []
        held = nil
        connection.write(bytes)
    }
}
