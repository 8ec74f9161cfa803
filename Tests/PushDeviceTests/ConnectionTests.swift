import Dispatch
import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import TestSupport
import Testing

/// When a session reports that its device is connected.
@Suite("Connections of a session")
struct ConnectionTests {
    private static let queue = DispatchQueue(label: "connections")

    private final class Count: Sendable {
        private let number = Locked(0)
        func add() { number.withLock { $0 += 1 } }
        var now: Int { number.withLock { $0 } }
    }

    private static func counting(_ session: DeviceSession) -> Count {
        let count = Count()
        session.onConnection(on: queue) { count.add() }
        return count
    }

    /// Waits until the queue has delivered everything.
    private static func flush() async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    @Test("every start connects once, and the connection comes again with the app and with the network")
    func again() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let count = Self.counting(stage.session)
        try await stage.session.start()
        await Self.flush()
        #expect(count.now == 1)
        await stage.phone.leaveApp()
        await stage.phone.openApp()
        await Self.flush()
        #expect(count.now == 2)
        // The app was already open, so this does not connect again.
        await stage.phone.openApp()
        await stage.phone.setReachable(false)
        await stage.phone.setReachable(true)
        await Self.flush()
        #expect(count.now == 3)
        await stage.phone.killApp()
        await stage.phone.openApp()
        await Self.flush()
        #expect(count.now == 4)
    }

    @Test("a stopped service hears of no connection, and the next start of its own")
    func stopped() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let count = Self.counting(stage.session)
        try await stage.session.start()
        try await stage.session.stop()
        await stage.phone.leaveApp()
        await stage.phone.openApp()
        await Self.flush()
        #expect(count.now == 1)
        try await stage.session.start()
        await Self.flush()
        #expect(count.now == 2)
    }

    @Test("without a host, each registration counts as a connection")
    func hostless() async throws {
        let stage = Stage(.jpush)
        let session = DeviceSession(stage.client, device: Stage.device, rules: .jpush)
        let count = Self.counting(session)
        try await session.start()
        session.register(Stage.other)
        await Self.flush()
        #expect(count.now == 2)
    }

    @Test("a session that is gone is not kept by its phone")
    func released() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        weak var gone: DeviceSession?
        do {
            let session = DeviceSession(stage.client, rules: .tpns, host: stage.phone)
            _ = Self.counting(session)
            try await session.start()
            gone = session
        }
        await until { gone == nil }
        await stage.phone.leaveApp()
        await stage.phone.openApp()
    }
}
