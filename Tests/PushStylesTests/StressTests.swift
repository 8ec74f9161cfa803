import Dispatch
import PushAdapter
import PushClient
import PushDevice
import PushSimulation
import PushStyles
import TestSupport
import Testing

@Suite("Calls from many threads", .serialized)
struct StressTests {
    private static let threads = 8
    private static let callsPerThread = 12_500

    @Test("G-074: 100,000 calls from 8 threads are answered once each, and nothing stays taken")
    func sequenced() async throws {
        let stage = try Stage.memory(.jpush)
        let answered = Locked([UInt8](repeating: 0, count: Self.threads * Self.callsPerThread))
        let codes = Locked<[Int: Int]>([:])
        @Sendable func note(_ code: Int, _ seq: Int) {
            answered.withLock { $0[seq] += 1 }
            codes.withLock { $0[code, default: 0] += 1 }
        }
        let (service, clock) = (stage.service, stage.clock)
        await onThreads { thread in
            for number in 0..<Self.callsPerThread {
                let seq = thread * Self.callsPerThread + number
                if number % 10 == 0 { clock.advance(by: .milliseconds(100)) }
                switch (number + thread) % 8 {
                case 0: service.addTags(["a"], completion: { code, _, seq in note(code, seq) }, seq: seq)
                case 1: service.getAllTags({ code, _, seq in note(code, seq) }, seq: seq)
                case 2: service.setAlias("u", completion: { code, _, seq in note(code, seq) }, seq: seq)
                case 3: service.getAlias({ code, _, seq in note(code, seq) }, seq: seq)
                case 4:
                    service.setTags(
                        ["b"], alias: "", callbackSelector: { code, _, _ in note(code, seq) }, object: service)
                case 5: service.setMobileNumber("1") { note($0?.code ?? 0, seq) }
                case 6: service.addTags([], completion: { code, _, seq in note(code, seq) }, seq: seq)
                default: service.validTag("a", completion: { code, _, seq, _ in note(code, seq) }, seq: seq)
                }
            }
        }
        await until { codes.withLock { $0.values.reduce(0, +) } == Self.threads * Self.callsPerThread }
        // The last answer was delivered under the lock that freed its slot. A second answer would come through the same
        // queue.
        await withCheckedContinuation { continuation in stage.queue.async { continuation.resume() } }
        #expect(answered.withLock { $0.allSatisfy { $0 == 1 } })
        #expect(codes.withLock { Set($0.keys) }.isSubset(of: [0, 6001, 6011, 6021, 6022]))
        #expect(codes.withLock { $0[6001] } == Self.threads * Self.callsPerThread / 8)
        clock.advance(by: .seconds(20))
        #expect(
            await answer { tell in
                service.setTags(["z"], alias: "z", fetchCompletionHandle: { code, _, _ in tell(code) })
            } == 0)
        #expect(await answer { tell in service.setMobileNumber("1") { tell($0 == nil) } })
    }

    @Test("20,000 calls with a delegate from 8 threads, stopped and started in between, are told once each")
    func xg() async throws {
        let stage = try Stage.memory(.tpns)
        let diary = Diary()
        let manager = stage.manager
        manager.delegate = diary
        await onThreads { thread in
            for number in 0..<2500 {
                switch number % 5 {
                case 0: manager.appendTags(["t\(thread)"])
                case 1: manager.delTags(["t\(thread)"])
                case 2: manager.upsertAttributes(["tier": "gold"])
                case 3: manager.clearTags()
                default: manager.appendTags([])
                }
                if thread == 0, number == 1000 { manager.stopXGNotification() }
                if thread == 0, number == 1500 { manager.startXG(withAccessID: 1, accessKey: "k", delegate: nil) }
            }
        }
        #expect(await diary.wait(for: 20_000).count == 20_000)
        await withCheckedContinuation { continuation in stage.queue.async { continuation.resume() } }
        #expect(diary.all.count == 20_000)
    }

    /// Runs a body on real threads, without the limit of the task pool.
    private func onThreads(_ body: @escaping @Sendable (Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<Self.threads {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue(label: "caller-\(thread)").async {
                            body(thread)
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }
}
