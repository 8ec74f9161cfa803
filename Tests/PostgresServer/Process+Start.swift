public import Foundation

extension Process {
    private static let starting = NSLock()

    /// Runs it, while no other program starts. One that did could inherit the socket by which Foundation learns that this one has
    /// ended, and nobody would hear of it before both have.
    public func start() throws { try Self.starting.withLock { try run() } }
}
