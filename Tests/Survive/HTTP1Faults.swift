import Glibc
import HostileServer
import PushAdapter

extension HostileVendor {
    /// Serves one HTTP/1.1 connection until a fault ends it.
    func serveHTTP1(_ connection: HostileConnection, trap: Int) {
        while true {
            let fault = nextFault(Fault.http1)
            // A server may disconnect between two requests.
            if fault == .resetsBefore, dice.happens(50) {
                connection.wait(milliseconds: dice.roll(0...3))
                return connection.reset()
            }
            guard var request = connection.head() else { return }
            if fault == .answersEarly {
                let answer = HostileConnection.answer(200, "{\"msg_id\":\"1\",\"push_id\":\"1\",\"ret_code\":0}")
                let isSaid = connection.write(answer)
                guard connection.finish(&request) else { return }
                let asked = Request(request)
                // An early success does not count for a request that is then refused.
                guard tokenRefusal(asked) == nil else { return }
                _ = act(asked)
                if isSaid { noteSaid(asked) }
                continue
            }
            if fault == .closesBefore, dice.happens(50) { return connection.close() }
            guard connection.finish(&request), serve(fault, request, connection, trap: trap) else { return }
        }
    }

    /// Returns whether the connection stays open.
    private func serve(
        _ fault: Fault, _ request: HostileConnection.Request, _ connection: HostileConnection, trap: Int
    ) -> Bool {
        let request = Request(request)
        note(fault, request)
        func act() -> String { self.act(request) }
        func whole(_ bytes: [UInt8]) -> Bool {
            guard connection.write(bytes) else { return false }
            noteSaid(request)
            return true
        }
        func end(_ text: String = "") -> Bool {
            connection.write(text)
            connection.close()
            return false
        }
        if let answer = plainAnswer(to: fault, request) {
            let headers = answer.headers.map { "\($0.0): \($0.1)\r\n" }.joined()
            let head = "HTTP/1.1 \(answer.status) x\r\ncontent-length: \(answer.body.count)\r\n\(headers)\r\n"
            let bytes = Array(head.utf8) + answer.body
            return answer.isSuccess ? whole(bytes) : connection.write(bytes)
        }
        switch fault {
        case .redirects:
            return connection.write(
                "HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:\(trap)/\r\nContent-Length: 0\r\n\r\n")
        case .redirectsKeepingMethod:
            return connection.write(
                "HTTP/1.1 307 x\r\nLocation: http://127.0.0.1:\(trap)/\r\nContent-Length: 0\r\n\r\n")
        case .closesBefore: return end()
        case .resetsBefore:
            connection.reset()
            return false
        case .closesAfter:
            _ = act()
            return end()
        case .resetsAfter:
            _ = act()
            connection.reset()
            return false
        case .silentBefore, .silentAfter:
            if fault == .silentAfter { _ = act() }
            connection.wait(milliseconds: 3_000)
            return end()
        case .cutsAnswer:
            let answer = HostileConnection.answer(200, act())
            return end(String(decoding: answer.dropLast(dice.roll(1...max(1, answer.count / 2))), as: UTF8.self))
        case .cutsHeader:
            _ = act()
            return end("HTTP/1.1 200 x\r\nContent-Le")
        case .endlessBody:
            _ = act()
            connection.write("HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + Array("\r\n".utf8)
            for _ in 0..<64 { guard connection.write(chunk) else { return false } }
            return end()
        case .endlessHeader, .endlessInterim:
            _ = act()
            connection.write(fault == .endlessHeader ? "HTTP/1.1 200 x\r\n" : "")
            let line =
                fault == .endlessHeader ? "X-A: \(String(repeating: "a", count: 900))\r\n" : "HTTP/1.1 103 x\r\n\r\n"
            for _ in 0..<20_000 { guard connection.write(line) else { return false } }
            return end()
        case .interim:
            return whole(
                Array("HTTP/1.1 100 x\r\n\r\nHTTP/1.1 103 x\r\nLink: a\r\n\r\n".utf8)
                    + HostileConnection.answer(200, act()))
        case .drip:
            let answer = HostileConnection.answer(200, act())
            for byte in answer {
                guard connection.write([byte]) else { return false }
                usleep(500)
            }
            noteSaid(request)
            return true
        case .longerThanSaid:
            let answer = act()
            return end("HTTP/1.1 200 x\r\nContent-Length: \(answer.utf8.count + 100)\r\n\r\n\(answer)")
        case .shorterThanSaid:
            return end("HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\n\(act())    ")
        case .badChunks:
            return end("HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\(act())\r\n0\r\n\r\n")
        case .twoLengths: return end("HTTP/1.1 200 x\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n\(act())")
        case .negativeLength: return end("HTTP/1.1 200 x\r\nContent-Length: -5\r\n\r\n\(act())")
        case .foreignVersion:
            let answer = act()
            return end("HTTP/2 200\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
        case .oldVersion:
            let answer = act()
            let length = dice.happens(50) ? "Content-Length: \(answer.utf8.count)\r\n" : ""
            let isWritten = connection.write("HTTP/1.0 200 x\r\n\(length)\r\n\(answer)")
            if isWritten { noteSaid(request) }
            return end()
        case .noHTTP:
            _ = act()
            return end("SSH-2.0-OpenSSH_9.2\r\n")
        case .bareBody: return end(act())
        case .nulInHeader: return end("HTTP/1.1 200 x\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n\(act())")
        case .switchesProtocol: return end("HTTP/1.1 101 x\r\nUpgrade: x\r\n\r\n\(act())")
        case .twiceAtOnce, .twiceWithRefusal:
            let second = fault == .twiceAtOnce ? HostileConnection.answer(200, strangeSuccess) : refusalBytes
            return whole(HostileConnection.answer(200, act()) + second)
        case .twiceSplit:
            let answer = act()
            // After a response without a body, a late piece could meet the next request in flight, and the client could
            // not tell whether it belongs to that request.
            guard !answer.isEmpty else { return whole(HostileConnection.answer(200, answer) + refusalBytes) }
            connection.write("HTTP/1.1 200 x\r\nContent-Length: \(answer.utf8.count)\r\n\r\n")
            usleep(2_000)
            return whole(
                Array(answer.utf8) + (dice.happens(50) ? refusalBytes : HostileConnection.answer(200, strangeSuccess)))
        case .answersAndCloses:
            _ = whole(HostileConnection.answer(200, act()))
            return end()
        default:
            return whole(HostileConnection.answer(200, act()))
        }
    }

    private var refusalBytes: [UInt8] {
        let refusal = refusal()
        return HostileConnection.answer(refusal.status, refusal.body)
    }
}

extension HostileVendor.Request {
    init(_ request: HostileConnection.Request) {
        self.init(request.method, request.target, request.body, header: request.header)
    }
}
