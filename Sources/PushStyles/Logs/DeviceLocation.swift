/// A place on the map, as far as the SDKs read a `CLLocation`.
public struct DeviceLocation: Sendable, Hashable {
    /// Degrees, north is positive.
    public var latitude: Double
    /// Degrees, east is positive.
    public var longitude: Double

    /// A place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
