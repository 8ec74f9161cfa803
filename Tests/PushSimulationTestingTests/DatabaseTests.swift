import PushAdapter
import PushSimulationTesting
import PushStoreConformance
import Testing

@Suite("The database of a simulation")
struct DatabaseTests {
    /// Like a server's store, it lets several workers work at once.
    private static let checks = OutboxStoreCheck.all.filter { !$0.description.hasPrefix("one worker has the claim") }

    @Test("does what every store of an outbox does", arguments: checks)
    func store(_ check: OutboxStoreCheck) throws {
        let failure = Locked<String?>("it did not end")
        _ = try Simulation.run(seed: 1) { simulation in
            let database = SimulatedDatabase(simulation)
            await simulation.process("shop") { process in
                var broken: String?
                do { try await check.run(database.session(of: process)) } catch { broken = "\(error)" }
                failure.withLock { [broken] in $0 = broken }
            }.untilEnd()
        }
        #expect(failure.withLock { $0 } == nil)
    }
}
