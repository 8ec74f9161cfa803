import Glibc
import HostileServer
import PushAdapter

extension HostileVendor {
    /// Serves one HTTP/2 connection until a fault ends it.
    func serveHTTP2(_ connection: HostileConnection, trap: Int) {
        guard let http2 = HostileHTTP2(connection) else { return }
        HTTP2Session(self, connection, http2, trap: trap).serve()
    }
}

/// One HTTP/2 connection to a hostile vendor, used only by its thread.
private final class HTTP2Session {
    /// A request on its stream.
    private struct Request {
        let stream: Int
        let asked: HostileVendor.Request

        init(_ request: HostileHTTP2.Request) {
            stream = request.stream
            asked = HostileVendor.Request(
                request.header(":method") ?? "", request.path, request.body, header: request.header)
        }
    }

    private let vendor: HostileVendor
    private let connection: HostileConnection
    private let http2: HostileHTTP2
    private let trap: Int
    /// Streams with a completely written response.
    private var finished: Set<Int> = []
    /// The units of honest responses, and the times of writing.
    private var honest: [(units: [String], time: ContinuousClock.Instant)] = []
    /// The time at which the last request was read.
    private var last = ContinuousClock.now
    /// The highest stream that this server may have acted on. Requests do not complete in the order of their streams.
    private var highest = 0

    private var dice: Dice { vendor.dice }

    init(_ vendor: HostileVendor, _ connection: HostileConnection, _ http2: HostileHTTP2, trap: Int) {
        self.vendor = vendor
        self.connection = connection
        self.http2 = http2
        self.trap = trap
    }

    func serve() {
        allowStreams()
        while serveNext() {}
        // The client may not have read the last responses before the connection broke.
        let cut = honest.filter { $0.time + .milliseconds(50) > last }.flatMap { $0.units }
        let resets = http2.resets
        vendor.facts.withLock { facts in
            facts.cut.formUnion(cut)
            facts.resets += resets.count
            facts.finished += finished.count
            facts.resetsOfFinished += resets.filter { finished.contains($0) }.count
        }
    }

    /// Returns whether the connection stays open.
    private func serveNext() -> Bool {
        guard let request = http2.request().map(Request.init) else { return false }
        last = .now
        // The end of a connection ends all its streams. If it came more often, it would hide the other faults.
        let endsAll = dice.happens(8)
        let fault = vendor.nextFault(endsAll ? Fault.http2Connection : Fault.http2Stream)
        vendor.note(fault, request.asked)
        let earlier = highest
        highest = max(highest, request.stream)
        if let answer = vendor.plainAnswer(to: fault, request.asked) {
            guard http2.answer(request.stream, answer.status, answer.body, headers: answer.headers) else {
                return false
            }
            finished.insert(request.stream)
            guard answer.isSuccess else { return true }
            vendor.noteSaid(request.asked)
            if fault == .honest {
                honest.append((request.asked.units, .now))
            }
            return true
        }
        guard Fault.http2Connection.contains(fault) else { return serve(fault, request) }
        end(fault, request, after: earlier)
        return false
    }

    private func act(_ request: Request) -> [UInt8] { Array(vendor.act(request.asked).utf8) }

    private func fields(_ request: Request) -> [(String, String)] { vendor.successHeaders(request.asked) }

    /// The header block of a success, without compression.
    private func head(_ request: Request) -> [UInt8] {
        fields(request).reduce(HTTP2Frames.success) { $0 + HTTP2Frames.field($1.0, $1.1) }
    }

    /// Responds with a completely written success.
    private func whole(_ request: Request, _ ending: HostileHTTP2.Ending = .withData) -> Bool {
        http2.answer(request.stream, 200, act(request), headers: fields(request), ending: ending) && said(request)
    }

    private func said(_ request: Request) -> Bool {
        vendor.noteSaid(request.asked)
        finished.insert(request.stream)
        return true
    }

    // MARK: Settings

    /// Limits the number of concurrent streams.
    private func allowStreams(_ count: Int? = nil) {
        http2.frame(0x4, 0, 0, HTTP2Frames.setting(3, count ?? dice.pick([8, 32, 250])))
    }

    /// Limits how much of a body the client may send at first, also on open streams.
    private func openWindows(_ size: Int) { http2.frame(0x4, 0, 0, HTTP2Frames.setting(4, size)) }

    // MARK: Faults

    /// Faults of one stream. Returns whether the connection stays open.
    private func serve(_ fault: Fault, _ request: Request) -> Bool {
        let stream = request.stream
        func sized(_ length: Int, _ body: [UInt8]) -> Bool {
            http2.answer(
                stream, 200, body, headers: [("content-length", "\(length)")] + fields(request), ending: .never)
                && http2.frame(0x0, 1, stream, [])
        }
        switch fault {
        case .redirects:
            guard http2.answer(stream, 302, [], headers: [("location", "http://127.0.0.1:\(trap)/")]) else {
                return false
            }
            finished.insert(stream)
            return true
        case .silentBefore: return true
        case .silentAfter:
            _ = act(request)
            return true
        case .endlessBody:
            http2.answer(stream, 200, act(request), headers: fields(request), ending: .never)
            for _ in 0..<80 {
                guard http2.frame(0x0, 0, stream, [UInt8](repeating: 0x20, count: 16_384)) else { return false }
            }
            return true
        case .endlessInterim:
            _ = act(request)
            let block = HTTP2Frames.earlyHints + HTTP2Frames.field("link", String(repeating: "a", count: 900))
            return connection.write(HTTP2Frames.repeated(500, 0x1, 0x4, stream, block))
        case .interim:
            let block = HTTP2Frames.earlyHints + HTTP2Frames.field("link", "</a>; rel=preload")
            return http2.frame(0x1, 0x4, stream, block) && whole(request)
        case .drip:
            let answer = act(request)
            guard http2.frame(0x1, 0x4, stream, head(request)) else { return false }
            for byte in answer {
                guard http2.frame(0x0, 0, stream, [byte]) else { return false }
                usleep(100)
            }
            return http2.frame(0x0, 1, stream, []) && said(request)
        case .cutsAnswer:
            let answer = act(request)
            let part = Array(answer.prefix(dice.roll(0...answer.count)))
            http2.answer(
                stream, 200, part, headers: [("content-length", "\(answer.count + 10)")] + fields(request),
                ending: .never)
            http2.reset(stream, code: UInt8(dice.roll(0...13)))
            return true
        case .longerThanSaid:
            let answer = act(request)
            return sized(answer.count + 100, answer)
        case .shorterThanSaid: return sized(3, act(request) + Array("    ".utf8))
        case .negativeLength: return sized(-5, act(request))
        case .twoLengths:
            return http2.answer(
                stream, 200, Array(act(request).dropLast()), headers: [("content-length", "999")] + fields(request))
        case .endsAlone: return whole(request, .alone)
        case .endsWithTrailers:
            return http2.answer(stream, 200, act(request), headers: fields(request), ending: .never)
                && http2.frame(0x1, 0x5, stream, HTTP2Frames.field("x-checksum", "1")) && said(request)
        case .refusesStream:
            http2.reset(stream, code: 7)
            return true
        case .refusesAfterHeaders:
            // The code says that nothing was done, but the response says otherwise.
            _ = act(request)
            http2.frame(0x1, 0x4, stream, head(request))
            http2.reset(stream, code: 7)
            return true
        case .resetsStreamAfter:
            // Every code except the one that means that nothing was done.
            _ = act(request)
            http2.reset(stream, code: dice.pick((0...13).filter { $0 != 7 }))
            return true
        case .pings, .settings:
            // Too few to be a flood.
            let count = dice.pick([20, 200, 2_000])
            let frames =
                fault == .settings
                ? HTTP2Frames.repeated(count, 0x4, 0, 0, [])
                : HTTP2Frames.repeated(count, 0x6, 0, 0, [UInt8](repeating: 1, count: 8))
            return connection.write(frames) && whole(request)
        case .headersOnly:
            _ = act(request)
            guard http2.answer(stream, 200, []) else { return false }
            finished.insert(stream)
            // For a write, this is the vendor's response.
            if request.asked.call == .write { vendor.noteSaid(request.asked) }
            return true
        case .longField:
            let answer = act(request)
            var rest =
                (head(request) + HTTP2Frames.field("x-long", String(repeating: "a", count: 60_000)))[...]
            var type: UInt8 = 0x1
            while !rest.isEmpty {
                let part = rest.prefix(16_384)
                rest = rest.dropFirst(part.count)
                guard http2.frame(type, rest.isEmpty ? 0x4 : 0, stream, Array(part)) else { return false }
                type = 0x9
            }
            return http2.frame(0x0, 1, stream, answer) && said(request)
        case .dataAfterEnd:
            // The stream does not count as finished, because the client may reset it.
            guard http2.answer(stream, 200, act(request), headers: fields(request)) else { return false }
            vendor.noteSaid(request.asked)
            return http2.frame(0x0, 1, stream, Array(vendor.refusal().body.utf8))
        case .answersFinishedStream:
            guard let other = finished.max() else { return whole(request) }
            finished.remove(other)
            return http2.answer(other, 200, act(request))
        case .oneStream:
            allowStreams(1)
            guard whole(request) else { return false }
            for _ in 0..<dice.roll(5...40) { guard serveNext() else { return false } }
            allowStreams()
            return true
        case .noStreams:
            allowStreams(0)
            guard whole(request) else { return false }
            usleep(UInt32(dice.roll(1_000...50_000)))
            allowStreams()
            return true
        case .narrowWindows:
            // Bodies in flight had larger windows before, so their windows become negative.
            var window = dice.pick([0, 1, 300])
            openWindows(window)
            guard whole(request) else { return false }
            for _ in 0..<dice.roll(5...40) {
                usleep(1_000)
                window += dice.roll(200...900)
                openWindows(window)
            }
            openWindows(0x7FFF_FFFF)
            return true
        default: return whole(request)
        }
    }

    /// Faults that end all streams of the connection.
    /// - Parameter earlier: the highest stream that this server may have acted on before.
    private func end(_ fault: Fault, _ request: Request, after earlier: Int) {
        let stream = request.stream
        switch fault {
        case .resetsBefore: connection.reset()
        case .closesAfter: _ = act(request)
        case .resetsAfter:
            _ = act(request)
            connection.reset()
        case .goesAwayAfter:
            _ = act(request)
            http2.goAway(last: highest, code: 1)
        case .goesAwayBefore:
            http2.goAway(last: earlier)
            connection.wait(milliseconds: 50)
        case .goesAwayTwice:
            // As RFC 9113 recommends: the first GOAWAY excludes no stream, the second excludes those that came too
            // late.
            http2.goAway(last: 0x7FFF_FFFF)
            usleep(UInt32(dice.roll(0...5_000)))
            http2.goAway(last: highest)
            usleep(UInt32(dice.roll(0...5_000)))
            if whole(request) { connection.wait(milliseconds: 200) }
        case .badFrame:
            _ = act(request)
            breakRules(0x5, 0xFF, stream, [0xFF, 0xFF, 0xFF])
        case .badCompression:
            _ = act(request)
            // No field has the number 0 or such a high number; a field ends too early; the table is too large.
            let blocks: [[UInt8]] = [
                [0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x00, 0x7F], [0x3F, 0xFF, 0xFF, 0xFF, 0x7F],
            ]
            breakRules(0x1, 0x5, stream, dice.pick(blocks))
        case .promisesPush:
            _ = act(request)
            // GET, https, /
            let block = [0x82, 0x87, 0x84] + HTTP2Frames.field(":authority", "localhost")
            breakRules(0x5, 0x4, stream, HTTP2Frames.number(2) + block)
        case .overflowsWindow:
            _ = act(request)
            breakRules(0x8, 0, 0, [0x7F, 0xFF, 0xFF, 0xFF])
        case .answersIdleStream:
            http2.answer(stream + 100_000, 200, act(request))
            connection.wait(milliseconds: 100)
        case .floods: flood(request)
        case .continuations:
            if dice.happens(50) { _ = act(request) }
            http2.frame(0x1, 0, stream, HTTP2Frames.success)
            let part = dice.happens(50) ? [] : HTTP2Frames.field("x-a", String(repeating: "a", count: 100))
            write(20, times: HTTP2Frames.repeated(1_000, 0x9, 0, stream, part))
        // Closes before it has done anything.
        default: break
        }
        connection.close()
    }

    /// Writes a frame that no client tolerates, and gives it time to leave.
    private func breakRules(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) {
        http2.frame(type, flags, stream, payload)
        connection.wait(milliseconds: 100)
    }

    /// Writes 120,000 frames that cost the client work and bring it nothing.
    private func flood(_ request: Request) {
        let stream = request.stream
        if dice.happens(50) { _ = act(request) }
        let frame: (type: UInt8, stream: Int, payload: [UInt8]) = dice.pick([
            (0x0, stream, []), (0x2, stream, [0, 0, 0, 0, 0]), (0x4, 0, []), (0x6, 0, [0, 0, 0, 0, 0, 0, 0, 0]),
            (0x8, 0, [0, 0, 0, 1]),
        ])
        if frame.type == 0x0 { http2.frame(0x1, 0x4, stream, HTTP2Frames.success) }
        write(120, times: HTTP2Frames.repeated(1_000, frame.type, 0, frame.stream, frame.payload))
    }

    private func write(_ count: Int, times bytes: [UInt8]) {
        for _ in 0..<count { guard connection.write(bytes) else { return } }
    }
}
