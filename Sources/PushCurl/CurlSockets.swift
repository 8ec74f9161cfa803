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

    private struct Ports: Hashable {
        let local: Int32
        let remote: Int32
    }

    private final class Entry {
        let socket: Socket
        let isPublic: Bool
        /// The transfer that began on it last.
        var user: ObjectIdentifier?
        /// Nil until the connection is established.
        var ports: Ports?
        /// Where its requests go.
        var origin: Origin?
        /// No request has left on it; it may hold bytes of the handshake.
        var isUnused = true
        /// Since when libcurl keeps it for the next request; nil before, and while one has it.
        var idleSince: ContinuousClock.Instant?
        /// The request that has a claim to it while its caller is asked.
        var keeper: ObjectIdentifier?

        init(_ socket: Socket, isPublic: Bool) { (self.socket, self.isPublic) = (socket, isPublic) }
    }

    // Each request looks for its connection several times, among hundreds.

    /// By descriptor.
    private var open: [Int32: Entry] = [:]
    /// Those whose connection was not established when last looked at.
    private var connecting: [Entry] = []
    private var established: [Ports: [Entry]] = [:]
    /// By the request that has a claim.
    private var kept: [ObjectIdentifier: Entry] = [:]
    /// The last closed sockets, newest last: more than can end in one turn of the loop.
    private var closed: [(entry: Entry, fate: Fate)] = []
    private var lastNumber = 0
    /// Why the system last gave no socket.
    private(set) var lastError: Int32 = 0

    /// The socket of a connection, by the ports that libcurl reports. Nil if two connections to two addresses share
    /// them.
    func socket(local: Int32, remote: Int32) -> Socket? {
        connecting.removeAll { entry in
            guard let ports = Self.ports(entry.socket) else { return false }
            entry.ports = ports
            established[ports, default: []].append(entry)
            return true
        }
        let matches = established[Ports(local: local, remote: remote)] ?? []
        return matches.count == 1 ? matches[0].socket : nil
    }

    /// Records the transfer that begins on a connection. libcurl chooses among the idle connections. If another request
    /// has a claim to the chosen one, that request gets the connection that this request had a claim to.
    func use(_ socket: Socket, for transfer: CurlTransfer) {
        guard let entry = entry(of: socket) else { return }
        entry.user = ObjectIdentifier(transfer)
        entry.origin = transfer.call.origin
        entry.idleSince = nil
        if !transfer.onlyConnects { entry.isUnused = false }
        let caller = ObjectIdentifier(transfer.call)
        let other = entry.keeper
        claim(entry, for: nil)
        if other != caller, let own = kept[caller] { claim(own, for: other) }
    }

    /// Records that libcurl has an open connection back after a transfer. Another transfer may have begun on it
    /// already.
    func giveBack(_ socket: Socket, after transfer: CurlTransfer, _ now: ContinuousClock.Instant) {
        guard let entry = entry(of: socket), entry.user == ObjectIdentifier(transfer) else { return }
        entry.idleSince = now
    }

    /// Claims an idle connection for a request, so that other requests leave it alone; false if there is none.
    /// - Parameters:
    ///   - longest: a connection that was idle for longer is not used.
    ///   - mustBePublic: whether a connection to a private address is not used.
    func keep(
        for call: Transfer, _ now: ContinuousClock.Instant, idleUpTo longest: Duration, mustBePublic: Bool
    ) -> Bool {
        let idle = open.values.first { entry in
            guard let since = entry.idleSince, entry.keeper == nil, entry.origin == call.origin else { return false }
            guard entry.isPublic || !mustBePublic else { return false }
            return now - since < longest && Self.isQuiet(entry)
        }
        guard let idle else { return false }
        claim(idle, for: ObjectIdentifier(call))
        return true
    }

    /// Ends the claim of a request.
    func release(_ call: Transfer) {
        if let entry = kept[ObjectIdentifier(call)] { claim(entry, for: nil) }
    }

    private func claim(_ entry: Entry, for keeper: ObjectIdentifier?) {
        if let old = entry.keeper { kept[old] = nil }
        entry.keeper = keeper
        // A request has one claim at most.
        if let keeper { kept.updateValue(entry, forKey: keeper)?.keeper = nil }
    }

    private func entry(of socket: Socket) -> Entry? {
        guard let entry = open[socket.descriptor], entry.socket == socket else { return nil }
        return entry
    }

    /// Whether it has no bytes that another request could take for its response.
    func isQuiet(_ socket: Socket) -> Bool { entry(of: socket).map(Self.isQuiet) ?? false }

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

    func isUnused(_ socket: Socket) -> Bool { entry(of: socket)?.isUnused ?? false }

    func isLast(_ transfer: CurlTransfer, on socket: Socket) -> Bool {
        let entry = entry(of: socket) ?? closed.last { $0.entry.socket == socket }?.entry
        return entry?.user == ObjectIdentifier(transfer)
    }

    func fate(of socket: Socket) -> Fate {
        // Most are open, and the list of the others is longer.
        if entry(of: socket) != nil { return .open }
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

    private static func ports(_ socket: Socket) -> Ports? {
        guard let local = port(socket, getsockname), let remote = port(socket, getpeername) else { return nil }
        return Ports(local: local, remote: remote)
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
        let entry = Entry(Socket(descriptor: descriptor, number: lastNumber), isPublic: isPublic)
        open[descriptor] = entry
        connecting.append(entry)
        return descriptor
    }

    func close(_ descriptor: curl_socket_t) -> Int32 {
        if let entry = open.removeValue(forKey: descriptor) {
            claim(entry, for: nil)
            if let ports = entry.ports {
                let others = established[ports]?.filter { $0 !== entry } ?? []
                established[ports] = others.isEmpty ? nil : others
            } else {
                connecting.removeAll { $0 === entry }
            }
            closed.append((entry, Self.news(entry.socket) == .none ? .closedHere : .closedAfterTheOtherSide))
            if closed.count > 1024 { closed.removeFirst(512) }
        }
        return Glibc.close(descriptor)
    }
}
