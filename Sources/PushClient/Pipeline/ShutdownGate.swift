import Synchronization

/// Whether a client still takes calls.
final class ShutdownGate: Sendable {
    private let open = Atomic(true)

    var isOpen: Bool { open.load(ordering: .acquiring) }
    func close() { open.store(false, ordering: .releasing) }
}
