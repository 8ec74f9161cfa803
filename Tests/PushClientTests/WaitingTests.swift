import PushAdapter
import TestSupport
import Testing

@testable import PushClient

@Suite("What waits in a client", .timeLimit(.minutes(20)))
struct WaitingTests {
    /// Joins a line; the task's value is whether it was admitted.
    private func join(_ number: Int, _ line: Locked<WaitingLine>) async -> Task<Bool, Never> {
        let hasJoined = Locked(false)
        let task = Task {
            await withCheckedContinuation { place in
                line.withLock { $0.join(number, place) }
                hasJoined.withLock { $0 = true }
            }
        }
        await until { hasJoined.withLock { $0 } }
        return task
    }

    @Test("who leaves a line is passed over, and the others keep their order")
    func line() async {
        let line = Locked(WaitingLine())
        var tasks: [Task<Bool, Never>] = []
        for number in 0..<9 { tasks.append(await join(number, line)) }
        // In the second round, more have left than wait.
        for leaving in [[0, 3, 3], [4, 5, 6, 7]] {
            for number in leaving { line.withLock { $0.leave(number) }.resume() }
            line.withLock { $0.admitFirst() }.resume()
        }
        #expect(line.withLock { !$0.isEmpty })
        line.withLock { $0.dismissAll() }.resume()
        #expect(line.withLock { $0.isEmpty })
        tasks.append(await join(9, line))
        line.withLock { $0.admitAll() }.resume()
        var admitted: [Int] = []
        for (number, task) in tasks.enumerated() where await task.value { admitted.append(number) }
        #expect(admitted == [1, 2, 9])
    }

    /// A key that counts how often it is looked at.
    private struct CountedKey: Hashable {
        let number: Int
        let looks: Locked<Int>

        static func == (left: Self, right: Self) -> Bool { left.number == right.number }

        func hash(into hasher: inout Hasher) {
            looks.withLock { $0 += 1 }
            hasher.combine(number)
        }
    }

    @Test("a moment costs the same, however many are kept, and is forgotten some time after it has passed")
    func moments() throws {
        let (life, looks) = (11_000, Locked(0))
        var moments = Moments<CountedKey>()
        func key(_ number: Int) -> CountedKey { CountedKey(number: number, looks: looks) }
        func add(_ numbers: Range<Int>) {
            for number in numbers {
                moments.forgetPassed(now: .seconds(number))
                moments[key(number)] = .seconds(number + life)
            }
        }
        add(0..<14_000)
        try #require(looks.withLock { $0 } < 10 * 14_000)
        add(14_000..<60_000)
        #expect(looks.withLock { $0 } < 10 * 60_000)
        #expect(moments[key(0)] == nil && moments[key(60_000 - life)] == .seconds(60_000))
    }
}
