import NIOCore
import NIOHPACK
import NIOHTTP2
import PushAdapter
import PushSimulation

/// One HTTP/2 connection: collects requests, gives them to the host, and writes the responses.
actor HTTP2Session {
    /// A request whose body is not complete.
    private struct Incoming {
        var head: HPACKHeaders
        var body: [UInt8] = []
    }

    /// The longest body of a request; the stream of a longer one is reset.
    private static let mostBytes = 16 << 20
    /// The limit for a simulator that names none.
    private static let usualLimit = 100

    private let connection: SimulatedConnection
    private let channel: any Channel
    private let host: SimulatorHost
    /// The limit of streams that the client knows, and those in SETTINGS that it has not acknowledged.
    private var limits: [Int] = []
    private var incoming: [HTTP2StreamID: Incoming] = [:]
    /// Streams that count toward the limit.
    private var open: Set<HTTP2StreamID> = []
    /// Streams that the host has, until their responses have left.
    private var answering: Set<HTTP2StreamID> = []
    /// The highest stream that the client opened.
    private var highest = HTTP2StreamID.rootStream
    /// The highest stream that the host got.
    private var last = HTTP2StreamID.rootStream
    private var hasTakenLeave = false
    /// Bytes of the connection's window that the client has to get back.
    private var consumed = 0

    init(_ connection: SimulatedConnection, on channel: any Channel, of host: SimulatorHost) {
        self.connection = connection
        self.channel = channel
        self.host = host
    }

    // MARK: Frames of the client

    /// Sends the first SETTINGS, and the simulator's other first signals. Returns the client's frames until its end.
    func begin(_ signals: [ConnectionSignal]) async throws -> AsyncStream<HTTP2Frame> {
        var limit = Self.usualLimit
        for case .streamLimit(let next) in signals { limit = next }
        limits = [limit, limit]
        let (frames, continuation) = AsyncStream.makeStream(of: HTTP2Frame.self)
        try await channel.eventLoop.submit { [channel, limit] in
            // Nothing would end the frames of a connection that is gone already.
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOHTTP2Handler.server(streamLimit: limit, mostBytes: Self.mostBytes))
            try pipeline.addHandler(FrameReader(continuation))
            let window = HTTP2Frame(streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: 1 << 30))
            channel.writeAndFlush(window, promise: nil)
            try pipeline.handler(type: ALPNHandler.self).open()
        }.get()
        for case .goAway(let debug) in signals { takeLeave(debug, last: last) }
        return frames
    }

    /// Takes a frame; returns the request that it completes.
    func take(_ frame: HTTP2Frame) -> SimulatedRequest? {
        let stream = frame.streamID
        switch frame.payload {
        case .headers(let head):
            // Trailers are read and dropped.
            if incoming[stream] == nil, !admit(stream, head.headers) { return nil }
            return head.endStream ? finish(stream) : nil
        case .data(let data):
            giveBack(data.data.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0))
            guard incoming[stream] != nil else { return nil }
            if case .byteBuffer(let bytes) = data.data { incoming[stream]?.body += bytes.readableBytesView }
            guard incoming[stream]?.body.count ?? 0 <= Self.mostBytes else {
                reset(stream, .enhanceYourCalm)
                return nil
            }
            return data.endStream ? finish(stream) : nil
        case .rstStream:
            incoming[stream] = nil
            open.remove(stream)
            return nil
        case .settings(.ack):
            if limits.count > 1 { limits.removeFirst() }
            return nil
        default: return nil
        }
    }

    /// Takes or refuses a new stream. A higher limit counts at once, a lower one when the client knows it.
    private func admit(_ stream: HTTP2StreamID, _ head: HPACKHeaders) -> Bool {
        guard !hasTakenLeave, stream > highest else { return false }
        highest = stream
        open.insert(stream)
        guard open.count <= limits.max() ?? 0 else {
            reset(stream, .refusedStream)
            return false
        }
        incoming[stream] = Incoming(head: head)
        return true
    }

    private func finish(_ stream: HTTP2StreamID) -> SimulatedRequest? {
        guard let whole = incoming.removeValue(forKey: stream) else { return nil }
        guard let request = SimulatedRequest(whole.head, whole.body, over: connection) else {
            reset(stream, .protocolError)
            return nil
        }
        last = stream > last ? stream : last
        answering.insert(stream)
        return request
    }

    private func giveBack(_ count: Int) {
        consumed += count
        guard consumed >= 1 << 20 else { return }
        write(.windowUpdate(windowSizeIncrement: consumed), on: .rootStream)
        channel.flush()
        consumed = 0
    }

    // MARK: Answers

    /// Gives a request to the host, and writes the response.
    func answer(_ request: SimulatedRequest, on stream: HTTP2StreamID) async {
        let delivery = await host.handle(request)
        // Only the end of the connection interrupts it.
        try? await deliver(delivery, on: stream, hasBody: request.method != .head)
        answering.remove(stream)
        closeIfDone()
    }

    private func deliver(
        _ delivery: SimulatorHost.Delivery, on stream: HTTP2StreamID, hasBody: Bool
    ) async throws(CancellationError) {
        switch delivery {
        case .whole(let response): await send(response, hasBody ? response.body : [], on: stream)
        case .late(let response, let time):
            try await host.clock.sleep(for: time)
            await send(response, hasBody ? response.body : [], on: stream)
        case .drip(let response, let pause):
            let body = hasBody ? response.body : []
            apply(response.signals)
            write(.head(of: response), on: stream)
            for byte in body {
                guard open.contains(stream) else { return }
                await flush(.body([byte]), on: stream)
                try await host.clock.sleep(for: pause)
            }
            guard open.remove(stream) != nil else { return }
            await flush(.body([], isLast: true), on: stream)
        case .broken(let response, let count?):
            apply(response.signals)
            write(.head(of: response), on: stream)
            await flush(.body(Array(response.body.prefix(count))), on: stream)
            channel.breakConnection()
        case .broken(_, nil): channel.breakConnection()
        case .silence:
            // Until the client gives up; a minute at most, so that no test can leave it running.
            try? await Task.sleep(for: .seconds(60))
            if open.contains(stream) { channel.breakConnection() }
        case .refusedStream: reset(stream, .refusedStream)
        case .goAway:
            if stream == last, !hasTakenLeave {
                open.remove(stream)
                takeLeave([], last: HTTP2StreamID(max(0, Int(stream) - 2)))
            } else {
                // The host has later streams, which the GOAWAY must not deny.
                takeLeave([], last: last)
                reset(stream, .refusedStream)
            }
        }
    }

    private func send(_ response: SimulatedResponse, _ body: [UInt8], on stream: HTTP2StreamID) async {
        apply(response.signals)
        // Done before the client can know that the stream has ended, and open the next one.
        guard open.remove(stream) != nil else { return }
        guard !body.isEmpty else { return await flush(.head(of: response, isLast: true), on: stream) }
        write(.head(of: response), on: stream)
        await flush(.body(body, isLast: true), on: stream)
    }

    private func reset(_ stream: HTTP2StreamID, _ code: NIOHTTP2.HTTP2ErrorCode) {
        incoming[stream] = nil
        guard open.remove(stream) != nil else { return }
        write(.rstStream(code), on: stream)
        channel.flush()
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) {
        channel.write(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
    }

    /// Writes a frame; returns when everything up to it has left, or cannot leave any more.
    private func flush(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) async {
        let sent: EventLoopFuture<Void> = channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: payload))
        try? await sent.get()
    }

    // MARK: Signals

    private func apply(_ signals: [ConnectionSignal]) {
        for signal in signals {
            switch signal {
            case .streamLimit(let limit):
                limits.append(limit)
                write(.settings(.settings([SignalWriter.setting(limit)])), on: .rootStream)
                channel.flush()
            case .goAway(let debug): takeLeave(debug, last: last)
            }
        }
    }

    /// Announces that streams above `last` are not processed, and refuses those below it that the host does not have.
    private func takeLeave(_ debug: [UInt8], last: HTTP2StreamID) {
        guard !hasTakenLeave else { return }
        hasTakenLeave = true
        channel.triggerUserOutboundEvent(SignalWriter.GoAway(last: last, debug: debug), promise: nil)
        for stream in incoming.keys where stream <= last { reset(stream, .refusedStream) }
        incoming = [:]
        closeIfDone()
    }

    private func closeIfDone() {
        if hasTakenLeave, answering.isEmpty { channel.close(promise: nil) }
    }
}
