import PushClient
import PushCore

extension ConformanceCheck {
    /// Many calls in a row, compared with what a device is.
    static let model: [ConformanceCheck] = (1...4).map { seed in
        ConformanceCheck(
            .model, "device.\(seed)", "A random sequence of calls leaves a device as the model says (seed \(seed)).",
            when: { world in !DeviceModel.Step.possible(in: world).isEmpty },
            supported: { world in
                var generator = SplitMix(seed: UInt64(seed))
                let steps = DeviceModel.Step.random(120, in: world, &generator)
                guard let failure = try await DeviceModel.run(steps, in: world) else { return }
                let shortest = await Shrinker.shortest(steps, simpler: \.simpler) { steps in
                    // Each try starts from a device without tags and alias.
                    (try? await DeviceModel.run(steps, in: world)) != nil
                }
                let last = try await DeviceModel.run(shortest, in: world) ?? failure
                throw ConformanceFailure(
                    expected: last.expected,
                    actual: "\(last.actual), after: \(shortest.map(\.description).joined(separator: ", "))",
                    hint: "the shortest of the sequences that fail, from seed \(seed)")
            },
            refused: { world in try await world.expectRefusal(of: .addTags) })
    }
}
