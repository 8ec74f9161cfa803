import PushIO

/// The connections that requests of one group share, and the requests that wait for one. Belongs to the I/O thread.
final class ConnectionGroup {
    /// Where its requests go, and the name that they give their group. Requests that require a public address share no
    /// connection with others.
    struct Key: Hashable {
        let origin: Origin
        let name: String?
        let mustBePublic: Bool
    }

    let key: Key
    /// Requests that wait for a slot and a connection with room.
    var line = WaitingLine()
    /// Requests on its connections, and those that have room there while their callers are asked.
    var inFlight = 0
    var connections: [HTTP2Connection] = []
    /// When the connection that is being opened should be ready; nil if none is.
    var openingDeadline: ContinuousClock.Instant?
    /// After a failure, the next connection waits for a moment, so that a broken server gets no storm of them.
    var nextOpening: ContinuousClock.Instant?
    /// No more requests are expected, so idle connections are closed soon.
    var isEnding = false
    /// Connections in a row that answered nothing.
    var failures = 0

    init(_ key: Key) { self.key = key }

    /// Those that may get new requests.
    var current: [HTTP2Connection] { connections.filter { !$0.isRetiring } }

    /// Whether it may be forgotten, unless it still remembers a failure.
    var isUnused: Bool { line.isEmpty && inFlight == 0 && connections.isEmpty && openingDeadline == nil }

    /// Until when it remembers the last failure; nil if there was none.
    var memoryEnd: ContinuousClock.Instant? { nextOpening.map { $0 + .seconds(10) } }
}
