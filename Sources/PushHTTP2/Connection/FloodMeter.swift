/// Counts a server's traffic besides responses: frames by number, and bytes, because nghttp2 does not show every frame.
/// Both count within a second. Some come with each request.
struct FloodMeter {
    private var frames = 0
    private var bytes = 0
    /// Bytes that may still come for requests that were given up.
    private var late = 0
    /// When the second began.
    private var start: ContinuousClock.Instant

    private static let mostFrames = 10_000
    private static let mostBytes = 16 << 20

    init(_ now: ContinuousClock.Instant) { start = now }

    /// Whether the connection gets no new requests, so that its end costs none.
    var isLoud: Bool { frames >= Self.mostFrames / 2 || bytes >= Self.mostBytes / 2 + late }
    /// Whether the connection ends.
    var isFlood: Bool { frames > Self.mostFrames || bytes > Self.mostBytes + late }
    /// When the second ends.
    var end: ContinuousClock.Instant { start + .seconds(1) }

    mutating func forget(_ now: ContinuousClock.Instant) {
        guard now >= end else { return }
        let left = max(0, late - bytes)
        self = FloodMeter(now)
        late = left
    }

    mutating func noteFrame() { frames += 1 }
    mutating func noteBytes(_ count: Int) { bytes += count }
    /// A request was given up. nghttp2 does not show the rest of its response.
    mutating func expectLate(_ count: Int) { late += count }
    mutating func noteBody(_ count: Int) { bytes = max(0, bytes - count) }
    mutating func noteRequest() { (frames, bytes) = (max(0, frames - 16), max(0, bytes - 1024)) }
}
