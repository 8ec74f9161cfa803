import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// Many calls in a row, compared with a model of a device.
    static let model: [ConformanceCheck] = (1...4).map { seed in
        ConformanceCheck(
            .model, "device.\(seed)", "A random sequence of calls leaves a device as the model says (seed \(seed)).",
            // One device for each attempt of the shrinker, so that none needs cleaning.
            setup: World.Setup(deviceCount: 500),
            when: { world in !DeviceOperation.possible(in: world).isEmpty },
            supported: { world in
                var generator = SplitMix(seed: UInt64(seed))
                let steps = DeviceOperation.random(250, in: world, &generator)
                let unused = Locked(world.deviceIDs)
                @Sendable func failure(of steps: [DeviceOperation]) async throws -> ConformanceFailure? {
                    guard let device = unused.withLock({ $0.popLast() }) else { return nil }
                    return try await DeviceModel.run(steps, on: device, in: world)
                }
                guard let first = try await failure(of: steps) else { return }
                let shortest = await Shrinker.shortest(steps, simpler: \.simpler) { steps in
                    (try? await failure(of: steps)) != nil
                }
                let last = try await failure(of: shortest) ?? first
                throw ConformanceFailure(
                    expected: last.expected,
                    actual: "\(last.actual), after: \(shortest.map(\.text).joined(separator: ", "))",
                    hint: "the shortest failing sequence, from seed \(seed)")
            },
            refused: { world in
                for feature in [Feature.addTags, .setAlias, .addAccounts, .addAttributes] {
                    try await world.expectRefusal(of: feature)
                }
            })
    }
}
