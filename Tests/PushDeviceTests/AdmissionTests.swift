import PushAdapter
import PushClient
import PushDevice
import PushSimulation
import TestSupport
import Testing

@Suite("Windows and slots of a device", .timeLimit(.minutes(20)))
struct AdmissionTests {
    private func session(_ stage: Stage, _ device: DeviceID = Stage.device) -> DeviceSession {
        DeviceSession(stage.client, device: device, rules: .jpush)
    }

    @Test("G-082: a session for each call admits ten calls in ten seconds, as one session for all does")
    func window() async throws {
        let stage = Stage(.jpush)
        for number in 0..<10 { _ = try await session(stage).run(.addTags(["t\(number)"])) }
        await #expect {
            _ = try await session(stage).run(.addTags(["late"]))
        } throws: { error in
            (error as? SessionFault)?.reason == .tooFrequent
        }
        // Another device has its own window, and so does the same device under other rules.
        _ = try await session(stage, Stage.other).run(.addTags(["other"]))
        _ = try await DeviceSession(stage.client, device: Stage.device, rules: .tpns).run(.addTags(["own"]))
        stage.clock.advance(by: .seconds(10))
        _ = try await session(stage).run(.addTags(["later"]))
    }

    @Test("G-076: a call of another session finds the slot taken, and free when the first is answered")
    func slot() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        let first = Task { try await session(stage).run(.addTags(["a"])) }
        await until { barrier.waiting == 1 }
        await #expect {
            _ = try await session(stage).run(.addTags(["b"]))
        } throws: { error in
            (error as? SessionFault)?.reason == .busy
        }
        barrier.open()
        _ = try await first.value
        _ = try await session(stage).run(.addTags(["b"]))
        #expect(await stage.tags == ["a", "b"])
    }

    @Test("a slot is free again after a cancelled call, and after its session is gone")
    func released() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        let first = Task { try? await session(stage).run(.addTags(["a"])) }
        await until { barrier.waiting == 1 }
        first.cancel()
        barrier.open()
        _ = await first.value
        _ = try await session(stage).run(.addTags(["b"]))
    }

    @Test("thousands of devices are not remembered longer than their windows")
    func sweep() async throws {
        let stage = Stage(.jpush)
        for number in 0..<1100 { _ = await stage.fault(of: .setAlias("x"), on: session(stage, DeviceID("d\(number)"))) }
        // A session whose rules have no windows must not forget other sessions' recent calls.
        let query = DeviceSession(stage.client, device: Stage.device, rules: .tpns)
        _ = try? await query.run(.queryTags(offset: 0, limit: 1))
        for number in 0..<9 { _ = await stage.fault(of: .setAlias("\(number)"), on: session(stage, "d0")) }
        let late = await stage.fault(of: .setAlias("late"), on: session(stage, "d0"))
        #expect(late?.reason == .tooFrequent)
    }
}
