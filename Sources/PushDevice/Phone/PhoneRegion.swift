#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A circle on the map.
public struct PhoneRegion: Sendable, Hashable {
    /// Degrees, north is positive.
    public var latitude: Double
    /// Degrees, east is positive.
    public var longitude: Double
    /// Meters.
    public var radius: Double

    /// A circle around a point.
    public init(latitude: Double, longitude: Double, radius: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// Whether a point lies in the circle, on a sphere of the earth's size.
    public func contains(latitude: Double, longitude: Double) -> Bool {
        let half = { (degrees: Double) in degrees * .pi / 360 }
        let (north, east) = (sin(half(latitude - self.latitude)), sin(half(longitude - self.longitude)))
        let share = north * north + cos(half(latitude) * 2) * cos(half(self.latitude) * 2) * east * east
        return 2 * 6_371_000 * asin(min(1, share.squareRoot())) <= radius
    }
}
