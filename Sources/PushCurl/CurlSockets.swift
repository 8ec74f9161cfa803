import CLibcurl
import Glibc
import PushIO

/// The sockets that libcurl has open, so that a kept connection can be checked before it is reused.
///
/// Belongs to the I/O thread; the engine keeps it for as long as libcurl has connections.
final class CurlSockets {
    /// One opening of a descriptor: the system reuses descriptor numbers.
    struct Socket: Equatable {
        let descriptor: Int32
        let number: Int
    }

    /// The state of a connection.
    enum Fate {
        case open
        /// libcurl closed it while there was nothing to read on it.
        case closedHere
        /// The other side had closed it, or sent something.
        case closedAfterTheOtherSide
    }

    private struct Entry {
        let socket: Socket
        let isPublic: Bool
        /// The transfer that began on it last.
        var user: ObjectIdentifier?
        /// Local and remote port; nil until the connection is established.
        var ports: (local: Int32, remote: Int32)?
        /// Where its requests go.
        var origin: Origin?
        /// No request has left on it; it may hold bytes of the handshake.
        var isUnused = true
        /// Since when libcurl keeps it for the next request; nil before, and while one has it.
        var idleSince: ContinuousClock.Instant?
        /// The request that has a claim to it while its caller is asked.
        var keeper: ObjectIdentifier?
    }

    private var open: [Entry] = []
    /// The last closed sockets, newest last: more than can end in one turn of the loop.
    private var closed: [(entry: Entry, fate: Fate)] = []
    private var lastNumber = 0
    /// Why the system last gave no socket.
    private(set) var lastError: Int32 = 0

    /// The socket of a connection, by the ports that libcurl reports. Nil if two connections to two addresses share
    /// them.
    func socket(local: Int32, remote: Int32) -> Socket? {
        for index in open.indices where open[index].ports == nil { open[index].ports = Self.ports(open[index].socket) }
        let matches = open.filter { $0.ports.map { $0 == (local, remote) } ?? false }
        return matches.count == 1 ? matches[0].socket : nil
    }

    /// Records the transfer that begins on a connection. libcurl chooses among the idle connections. If another request
    /// has a claim to the chosen one, that request gets the connection that this request had a claim to.
    func use(_ socket: Socket, for transfer: CurlTransfer) {
        guard let index = open.firstIndex(where: { $0.socket == socket }) else { return }
        open[index].user = ObjectIdentifier(transfer)
        open[index].origin = transfer.call.origin
        open[index].idleSince = nil
        if !transfer.onlyConnects { open[index].isUnused = false }
        let caller = ObjectIdentifier(transfer.call)
        let other = open[index].keeper
        open[index].keeper = nil
        if other != caller, let own = open.firstIndex(where: { $0.keeper == caller }) { open[own].keeper = other }
    }

    /// Records that libcurl has an open connection back after a transfer. Another transfer may have begun on it
    /// already.
    func giveBack(_ socket: Socket, after transfer: CurlTransfer, _ now: ContinuousClock.Instant) {
        let index = open.firstIndex { $0.socket == socket && $0.user == ObjectIdentifier(transfer) }
        if let index { open[index].idleSince = now }
    }

    /// Claims an idle connection for a request, so that other requests leave it alone; false if there is none.
    /// - Parameters:
    ///   - longest: a connection that was idle for longer is not used.
    ///   - mustBePublic: whether a connection to a private address is not used.
    func keep(
        for call: Transfer, _ now: ContinuousClock.Instant, idleUpTo longest: Duration, mustBePublic: Bool
    ) -> Bool {
        let index = open.firstIndex { entry in
            guard entry.keeper == nil, entry.origin == call.origin, let since = entry.idleSince else { return false }
            guard entry.isPublic || !mustBePublic else { return false }
            return now - since < longest && Self.isQuiet(entry)
        }
        guard let index else { return false }
        open[index].keeper = ObjectIdentifier(call)
        return true
    }

    /// Ends the claim of a request.
    func release(_ call: Transfer) {
        if let index = open.firstIndex(where: { $0.keeper == ObjectIdentifier(call) }) { open[index].keeper = nil }
    }

    /// Whether it has no bytes that another request could take for its response.
    func isQuiet(_ socket: Socket) -> Bool {
        open.first { $0.socket == socket }.map(Self.isQuiet) ?? false
    }

    private static func isQuiet(_ entry: Entry) -> Bool {
        let news = news(entry.socket)
        return news == .none || news == .bytes && entry.isUnused && !hasEnded(entry.socket)
    }

    /// Whether the other side sends nothing more, even if there are bytes to read before the end.
    private static func hasEnded(_ socket: Socket) -> Bool {
        // POLLRDHUP, which Glibc's module does not have.
        let end: Int16 = 0x2000
        var place = pollfd(fd: socket.descriptor, events: end, revents: 0)
        return poll(&place, 1, 0) > 0 && place.revents & (end | Int16(POLLHUP) | Int16(POLLERR)) != 0
    }

    func isUnused(_ socket: Socket) -> Bool { open.first { $0.socket == socket }?.isUnused ?? false }

    func isLast(_ transfer: CurlTransfer, on socket: Socket) -> Bool {
        let entry = open.first { $0.socket == socket } ?? closed.last { $0.entry.socket == socket }?.entry
        return entry?.user == ObjectIdentifier(transfer)
    }

    func fate(of socket: Socket) -> Fate {
        // Most are open, and the list of the others is longer.
        if open.contains(where: { $0.socket == socket }) { return .open }
        return closed.last { $0.entry.socket == socket }?.fate ?? .closedAfterTheOtherSide
    }

    /// The unread data on a connection that should be quiet.
    enum News {
        case none
        case bytes
        case end
    }

    static func news(_ socket: Socket) -> News {
        var byte: UInt8 = 0
        let count = recv(socket.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return .bytes }
        return count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .none : .end
    }

    private static func ports(_ socket: Socket) -> (Int32, Int32)? {
        guard let local = port(socket, getsockname), let remote = port(socket, getpeername) else { return nil }
        return (local, remote)
    }

    private static func port(
        _ socket: Socket, _ read: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32? in
                guard read(socket.descriptor, pointer, &length) == 0 else { return nil }
                // The port is at the same place for IPv4 and IPv6.
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    Int32(UInt16(bigEndian: $0.pointee.sin_port))
                }
            }
        }
    }

    // MARK: Called by libcurl, on the I/O thread

    func make(_ address: curl_sockaddr, isPublic: Bool) -> curl_socket_t {
        let kind = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(address.family, kind, address.protocol)
        guard descriptor >= 0 else {
            lastError = errno
            return CURL_SOCKET_BAD
        }
        lastNumber += 1
        open.append(Entry(socket: Socket(descriptor: descriptor, number: lastNumber), isPublic: isPublic))
        return descriptor
    }

    func close(_ descriptor: curl_socket_t) -> Int32 {
        if let index = open.firstIndex(where: { $0.socket.descriptor == descriptor }) {
            let entry = open.remove(at: index)
            closed.append((entry, Self.news(entry.socket) == .none ? .closedHere : .closedAfterTheOtherSide))
            if closed.count > 1024 { closed.removeFirst(512) }
        }
        return Glibc.close(descriptor)
    }
}
