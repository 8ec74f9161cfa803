/// How long one time of a piece of work takes, as one program prints it and another reads it.
public struct WorkTime: Sendable, Codable {
    /// What is done.
    public var name: String
    /// CPU time of doing it once.
    public var nanoseconds: Double

    /// A time that was measured.
    public init(name: String, nanoseconds: Double) {
        self.name = name
        self.nanoseconds = nanoseconds
    }
}
