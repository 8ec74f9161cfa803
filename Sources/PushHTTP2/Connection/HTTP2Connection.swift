import CNGHTTP2
import PushAdapter
import PushIO

/// One connection: an nghttp2 session over TLS. Belongs to the I/O thread.
final class HTTP2Connection {
    let number: Int
    /// Both also refer to the connection, until it ends.
    let group: ConnectionGroup
    let engine: HTTP2Engine
    /// Gets no new requests, and ends after its last one.
    var isRetiring = false
    /// The engine has noted that there is something to write.
    var isChanged = false

    let link: Link
    let output = OutputBuffer()
    var session: OpaquePointer?
    var streams: [HTTP2Stream] = []
    let greetingDeadline: ContinuousClock.Instant
    /// The server's settings have arrived.
    private(set) var isReady = false
    private var answers = 0
    private var answering = Answering()
    /// Room that is kept for requests whose callers are asked.
    var places = 0
    var hasSucceeded = false
    var isBlocked = false
    var lastHeard: ContinuousClock.Instant
    private(set) var lastUsed: ContinuousClock.Instant
    /// When the PING was sent that the server has not answered yet.
    var pingSent: ContinuousClock.Instant?
    /// Bytes before encryption: all that were written, and those before the write that is under way.
    var written = 0
    var writeStart = 0
    var noise: FloodMeter
    /// Why the server closes, if it says so.
    private(set) var goodbye = ""

    /// Bytes of a response that the server may send before the client confirms that it has read them.
    private static let streamWindow = 256 << 10

    init(
        _ link: Link, _ number: Int, _ group: ConnectionGroup, _ engine: HTTP2Engine
    ) throws(PushError) {
        self.link = link
        self.number = number
        self.group = group
        self.engine = engine
        (lastHeard, lastUsed, noise) = (engine.now, engine.now, FloodMeter(engine.now))
        greetingDeadline = max(group.openingDeadline ?? engine.now, engine.now)
        guard output.attach(to: link.ssl), open() else {
            throw PushError(.invalidState, "no memory for a connection; nothing was sent")
        }
        engine.noteCheck(greetingDeadline)
    }

    deinit { nghttp2_session_del(session) }

    private func open() -> Bool {
        nghttp2_session_client_new2(
            &session, SessionCallbacks.all, Unmanaged.passUnretained(self).toOpaque(), SessionCallbacks.options)
        let settings = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0), (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Self.streamWindow),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, engine.configuration.maxHeaderBytes),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.rawValue), value: UInt32(clamping: $1)) }
        return session != nil && nghttp2_submit_settings(session, 0, settings, settings.count) == 0
            && nghttp2_session_set_local_window_size(session, 0, 0, 16 << 20) == 0
    }

    var socket: Int32 { link.socket }
    var calls: [Transfer] { streams.map(\.call) }
    /// The request whose unfinished response is the longest.
    var longest: HTTP2Stream? { streams.lazy.filter { !$0.call.isOver }.max { $0.held < $1.held } }

    // MARK: Requests

    /// Whether no request is on it, has room there, or waits for it.
    var isIdle: Bool { isReady && streams.isEmpty && places == 0 && group.line.isEmpty }

    /// The streams that the server allows at once.
    private var limit: Int {
        Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Whether more requests need another connection.
    ///
    /// A connection is not full before its second answer. A server may allow one stream until it has accepted the first
    /// request, and raise the limit just after its answer.
    var isFull: Bool { answers > 1 && streams.count + places >= limit }

    /// Whether it takes a request now. After a silence, the server must first show that it is still there: a request that
    /// was not sent is not lost.
    func takesRequest() -> Bool {
        guard session != nil, isReady, !isRetiring, !isBlocked, pingSent == nil, streams.count + places < limit else {
            return false
        }
        guard nghttp2_session_check_request_allowed(session) != 0 else {
            // Its stream numbers are used up.
            retire()
            return false
        }
        noise.forget(engine.now)
        guard !noise.isLoud else {
            engine.noteCheck(noise.end)
            return false
        }
        if streams.isEmpty, engine.now - lastHeard > engine.configuration.pingInterval {
            ping()
            return false
        }
        return true
    }

    func submit(_ call: Transfer) {
        do throws(PushError) {
            let stream = HTTP2Stream(call, try BodySource(call.request.body), self)
            let pointer = Unmanaged.passUnretained(stream).toOpaque()
            var provider = nghttp2_data_provider()
            provider.source.ptr = pointer
            provider.read_callback = SessionCallbacks.readBody
            let hasBody = stream.source.count ?? 0 > 0
            stream.id = try engine.block.withFields(of: call, stream.source) { fields, count in
                hasBody
                    ? nghttp2_submit_request(session, nil, fields, count, &provider, pointer)
                    : nghttp2_submit_request(session, nil, fields, count, nil, pointer)
            }
            guard stream.id > 0 else { throw .transport("the connection took no more requests", wasSent: false) }
            if stream.source.isAtEnd { stream.lastByte = 0 }
            stream.index = streams.count
            streams.append(stream)
            call.state = stream
            group.inFlight += 1
            noise.noteRequest()
            lastUsed = engine.now
            // Silence counts from here.
            if streams.count == 1 { lastHeard = engine.now }
            engine.noteCheck(engine.now + engine.configuration.pingInterval)
            engine.noteChange(self)
        } catch {
            engine.answer(call, .failure(error))
        }
    }

    /// Answers a request whose stream goes on, and ends the stream.
    func abandon(_ stream: HTTP2Stream, _ error: PushError) {
        if stream.wasSent {
            if stream.breach == nil { answering.noteGivenUp() }
            noise.expectLate(Self.streamWindow + engine.configuration.maxHeaderBytes)
        }
        engine.answer(stream.call, .failure(error))
        engine.noteUnfinished(-stream.forget())
        cancel(stream)
        retireIfUnanswered()
    }

    private func retireIfUnanswered() {
        guard !isRetiring, answering.isMissing(engine.now, for: engine.configuration.pingTimeout) else { return }
        if hasSucceeded { engine.delayOpening(group) }
        retire()
    }

    private func cancel(_ stream: HTTP2Stream) {
        nghttp2_submit_rst_stream(session, 0, stream.id, NGHTTP2_CANCEL.rawValue)
        engine.noteChange(self)
    }

    // MARK: Called by nghttp2

    /// nghttp2 writes the header of a request.
    func noteSent(_ stream: HTTP2Stream) {
        stream.wasSent = true
        answering.noteSent(engine.now)
    }

    /// nghttp2 takes bytes of a body; returns -1 if the body cannot be read.
    func read(_ stream: HTTP2Stream, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = stream.source.read(into: buffer)
        if count < 0 { stream.breach = .unreadableFile }
        if stream.source.isAtEnd { stream.lastByte = written + engine.writeBuffer.count + count }
        return count
    }

    func noteSettings() {
        guard !isReady else { return }
        isReady = true
        engine.noteOpened(group, nil)
    }

    func notePong() { pingSent = nil }

    func noteGoAway(_ code: UInt32, _ debug: UnsafeBufferPointer<UInt8>) {
        retire()
        let name = code == NGHTTP2_NO_ERROR.rawValue ? nil : String(cString: nghttp2_http2_strerror(code))
        let words = [name, Self.text(of: debug)].compactMap { $0 }
        if !words.isEmpty { goodbye = " (\(words.joined(separator: ", ")))" }
    }

    /// The server's reason when it closes, if it is a short text: for people, without anything that looks like an
    /// identifier.
    private static func text(of debug: UnsafeBufferPointer<UInt8>) -> String? {
        guard !debug.isEmpty, debug.count <= 200, debug.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        // Some services write JSON with a code.
        if let reason = (try? JSONValue(parsing: Array(debug)))?["reason"]?.stringValue {
            return VendorDetail(code: VendorCode(reason)).code?.rawValue
        }
        return Redaction.masked(String(decoding: debug, as: UTF8.self))
    }

    /// The server's last frame on a stream.
    func finish(_ stream: HTTP2Stream) {
        answers += 1
        answering.noteAnswer(engine.now, othersWait: streams.count > 1)
        let response = stream.response(on: number)
        if response.isSuccess {
            hasSucceeded = true
            group.failures = 0
        }
        if !hasLeft(stream), response.isSuccess {
            stream.breach = .earlySuccess
            engine.answer(stream.call, .failure(stream.error(0)))
        } else {
            engine.answer(stream.call, .success(response))
        }
        // The server has no use for the rest of the body.
        if !stream.source.isAtEnd { cancel(stream) }
    }

    /// Whether the system may have taken the whole body. Encryption only adds bytes, so fewer than these cannot hold it.
    private func hasLeft(_ stream: HTTP2Stream) -> Bool {
        guard let last = stream.lastByte else { return false }
        return output.isEmpty || output.sent >= last - writeStart
    }

    /// nghttp2 forgets a stream.
    func remove(_ stream: HTTP2Stream, _ code: UInt32) {
        if !stream.call.isOver, stream.breach == nil { answering.noteRefused() }
        engine.answer(stream.call, .failure(stream.error(code)))
        engine.noteUnfinished(-stream.forget())
        retireIfUnanswered()
        guard stream.index < streams.count, streams[stream.index] === stream else { return }
        let last = streams.removeLast()
        if last !== stream {
            streams[stream.index] = last
            last.index = stream.index
        }
        lastUsed = engine.now
        // There is room for another request.
        engine.noteNews()
    }

    /// Counts a frame that may carry no response. False if there are too many.
    func noteFrame(isNoise: Bool) -> Bool {
        if isNoise { noise.noteFrame() }
        return !noise.isFlood
    }

    /// Bytes of a body.
    func noteBody(_ count: Int) { noise.noteBody(count) }
}
