/// How long a piece of work takes once, as one program prints it and another reads it.
public struct WorkTime: Sendable, Codable {
    /// The name of the work.
    public var name: String
    /// CPU time of doing it once.
    public var nanoseconds: Double

    /// A measured time.
    public init(name: String, nanoseconds: Double) {
        self.name = name
        self.nanoseconds = nanoseconds
    }
}
