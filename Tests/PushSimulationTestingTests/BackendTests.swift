import FoundationEssentials
import PushAdapter
import PushClient
import PushMemory
import PushOutbox
import PushSimulation
import PushSimulationTesting
import Testing

/// The programs from the article "Test your backend".
@Suite("A backend that is killed, in a simulation")
struct BackendTests {
    private static let orders = 12

    /// The state that survives the program: the shipped orders, and the buyers that were notified.
    private final class Shop: Sendable {
        let told = Locked<Set<Int>>([])
    }

    private static func phone(_ order: Int) -> DeviceID { DeviceID("phone-\(order)") }
    private static func text(_ order: Int) -> Message {
        Message(notification: Notification(body: "Order \(order) is on its way"))
    }

    private static func client(
        _ process: SimulatedProcess, _ host: SimulatorHost, _ simulation: Simulation
    ) -> PushClient {
        var weather = SimulatedLink.Weather()
        weather.lostAnswers = 0.2
        var configuration = ClientConfiguration()
        (configuration.clock, configuration.random) = (process.clock, simulation.random)
        var vendor = MemoryProvider(key: Secret("shop"), makesKeys: false)
        // Like most vendors, it remembers no keys of its callers.
        vendor.capabilities.callerKeys = [:]
        return PushClient(vendor, transport: SimulatedLink(process, to: host, weather), configuration: configuration)
    }

    /// How often a program that is killed three times notifies each buyer.
    private static func deliveries(
        _ seed: UInt64,
        _ program:
            @escaping @Sendable (SimulatedProcess, SimulatorHost, Shop, SimulatedDatabase) async throws
            -> Void
    ) throws -> Simulation.Run<[Int]> {
        try Simulation.run(seed: seed) { simulation in
            let devices = (0..<orders).map { VirtualDevice(phone($0).rawValue, .android) }
            let vendor = MemoryVendor(key: Secret("shop"), devices: devices)
            let host = SimulatorHost(vendor, clock: simulation.clock)
            let (shop, database) = (Shop(), SimulatedDatabase(simulation))
            for number in 1...4 {
                let process = simulation.process("program \(number)") { try await program($0, host, shop, database) }
                await simulation.sleep(.milliseconds(200) + .seconds(simulation.random.fraction()))
                if number < 4 { process.kill() } else { await process.untilEnd() }
            }
            await simulation.sleep(.seconds(60))
            var counts: [Int] = []
            for device in devices { counts.append(await vendor.snapshot(of: device.id)?.inbox.count ?? 0) }
            return counts
        }
    }

    @Test("a program that sends and then notes it tells somebody twice")
    func notesAfterwards() throws {
        let counts = try (UInt64(1)...20).map { seed in
            try Self.deliveries(seed) { process, host, shop, _ in
                let client = Self.client(process, host, process.simulation)
                for order in 0..<Self.orders where !shop.told.withLock({ $0.contains(order) }) {
                    _ = try? await client.send(Self.text(order), to: .devices([Self.phone(order)]))
                    await process.pass()
                    shop.told.withLock { _ = $0.insert(order) }
                }
                await client.shutdown()
            }.value
        }
        #expect(counts.contains { $0.contains { $0 > 1 } })
    }

    @Test("with an outbox nobody is told twice, and who was not told is named")
    func outbox() throws {
        for seed in UInt64(1)...20 {
            let unknown = Locked(0)
            let run = try Self.deliveries(seed) { process, host, _, database in
                let simulation = process.simulation
                var settings = OutboxSettings()
                settings.random = simulation.random
                let client = Self.client(process, host, simulation)
                let outbox = PushOutbox(
                    database.session(of: process), routes: ["vendor": client], settings: settings, clock: process.clock)
                for order in 0..<Self.orders {
                    try await outbox.enqueue(
                        Self.text(order), to: [.audience(.devices([Self.phone(order)]), at: "vendor")],
                        as: CampaignName("order-\(order)"))
                }
                // Runs until nothing is open: the work of an ended program is taken over half a minute later.
                while try await outbox.backlog().open > 0 {
                    try await outbox.runUntilIdle()
                    try await process.clock.sleep(for: .seconds(5))
                }
                var sum = 0
                for order in 0..<Self.orders {
                    sum += try await outbox.progress(now: CampaignName("order-\(order)")).unknown
                }
                unknown.withLock { [sum] in $0 = sum }
            }
            #expect(
                run.value.allSatisfy { $0 <= 1 }, "seed \(seed): \(run.value)\n\(run.story.joined(separator: "\n"))")
            #expect(run.value.count { $0 == 0 } <= unknown.withLock { $0 }, "seed \(seed)")
        }
    }
}
