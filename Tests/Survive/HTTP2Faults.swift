import Glibc
import HostileServer
import PushCore

extension HostileVendor {
    /// Serves one HTTP/2 connection until a fault ends it.
    func serveHTTP2(_ connection: HostileConnection, trap: Int) {
        guard let http2 = HostileHTTP2(connection) else { return }
        while let request = http2.request() {
            let fault = nextFault(Fault.http2)
            guard serve(fault, request, http2, connection, trap: trap) else { break }
        }
        facts.withLock { $0.resets += http2.resets.count }
    }

    private func serve(
        _ fault: Fault, _ request: HostileHTTP2.Request, _ http2: HostileHTTP2, _ connection: HostileConnection,
        trap: Int
    ) -> Bool {
        let (target, body) = (request.header(":path") ?? "", request.body)
        let call = call(target, request.header(":method") ?? "")
        let stream = request.stream
        note(fault, target, body)
        func act() -> [UInt8] { Array(self.act(call, target, body).utf8) }
        func whole(_ ending: HostileHTTP2.Ending = .withData) -> Bool {
            guard http2.answer(stream, 200, act(), ending: ending) else { return false }
            noteSaid(target, body)
            return true
        }
        if let answer = plainAnswer(to: fault, call, target, body) {
            guard http2.answer(stream, answer.status, answer.body, headers: answer.headers) else { return false }
            if answer.isSuccess { noteSaid(target, body) }
            return true
        }
        switch fault {
        case .redirects: return http2.answer(stream, 302, [], headers: [("location", "http://127.0.0.1:\(trap)/")])
        case .closesBefore:
            connection.close()
            return false
        case .resetsBefore, .resetsAfter:
            if fault == .resetsAfter { _ = act() }
            connection.reset()
            return false
        case .closesAfter:
            _ = act()
            connection.close()
            return false
        case .silentBefore, .silentAfter:
            // Only this stream: others on the connection go on.
            if fault == .silentAfter { _ = act() }
            return true
        case .endlessBody:
            http2.answer(stream, 200, act(), ending: .never)
            for _ in 0..<80 {
                guard http2.frame(0x0, 0, stream, [UInt8](repeating: 0x20, count: 16_384)) else { return false }
            }
            return true
        case .endsAlone: return whole(.alone)
        case .refusesStream:
            http2.reset(stream, code: 7)
            return true
        case .resetsStreamAfter:
            _ = act()
            http2.reset(stream, code: dice.pick([1, 2, 8]))
            return true
        case .goesAwayAfter:
            _ = act()
            http2.goAway(last: stream, code: 1)
            connection.close()
            return false
        case .goesAwayBefore:
            http2.goAway(last: max(0, stream - 2))
            connection.wait(milliseconds: 50)
            connection.close()
            return false
        case .tooFewBytes:
            _ = http2.answer(stream, 200, Array(act().dropLast()), headers: [("content-length", "999")])
            return true
        case .pings:
            for _ in 0..<2_000 { guard http2.frame(0x6, 0, 0, [UInt8](repeating: 1, count: 8)) else { return false } }
            return whole()
        case .settings:
            for _ in 0..<2_000 { guard http2.frame(0x4, 0, 0, []) else { return false } }
            return whole()
        case .badFrame:
            _ = act()
            http2.frame(0x5, 0xFF, stream, [0xFF, 0xFF, 0xFF])
            return true
        case .headersOnly:
            _ = act()
            // For a write, this is the vendor's response.
            if call == .write { noteSaid(target, body) }
            return http2.answer(stream, 200, [])
        default: return whole()
        }
    }
}
