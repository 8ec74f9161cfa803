public import Foundation

extension Process {
    private static let starting = NSLock()

    /// Runs it, while no other program starts. A program that starts at the same moment can inherit the socket that tells Foundation
    /// when this one ends. Then Foundation notices the end only after the other program has ended too.
    public func start() throws { try Self.starting.withLock { try run() } }
}
