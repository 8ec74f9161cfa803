import PushClient
import PushCore
import PushSimulation

extension ConformanceCheck {
    /// How calls share what the vendor allows.
    static let quota: [ConformanceCheck] = [
        ConformanceCheck(
            .quota, "spent", "Calls beyond a quota wait for its window instead of being refused.",
            setup: World.Setup(restrict: { capabilities in
                for bucket in capabilities.quotas.keys {
                    capabilities.quotas[bucket] = Quota(2, per: .seconds(10), source: "the conformance kit")
                }
            }),
            when: { world in world.charged != nil },
            supported: { world in
                guard let call = world.charged else { return }
                for _ in 0..<3 { try await world.client.run(call.exchange) }
                try expect(
                    world.clock.elapsed > .zero, "a wait before the third call", actual: "none",
                    hint: "charge the call to a declared quota")
            },
            refused: { world in
                try expect(
                    world.provider.capabilities.quotas.isEmpty, "no quota, where nothing is charged",
                    actual: "\(world.provider.capabilities.quotas.keys.sorted())", hint: "charge the calls that count")
            }),
        ConformanceCheck(
            .quota, "throttled", "After a throttle the other calls of the same quota wait as well.",
            setup: World.Setup(configure: { $0.retry = .none }),
            when: { world in world.charged.map(world.namesReset) ?? false },
            supported: { world in
                guard let call = world.charged else { return }
                world.host.faults.add(.throttle(reset: 9), path: try world.path(of: call))
                _ = try await expectError("the first call", hint: "the vendor throttles") {
                    () async throws(PushError) in try await world.client.run(call.exchange)
                }
                try await world.client.run(call.exchange)
                try expect(
                    world.clock.elapsed >= .seconds(9), "a wait until the quota opens",
                    actual: "\(world.clock.elapsed)",
                    hint: "charge the call, and read the moment in facts(in:)")
            },
            refused: { world in
                try expect(
                    world.provider.capabilities.quotas.isEmpty || world.charged.map { !world.namesReset($0) } == true,
                    "no quota, or no named moment", actual: "both", hint: "charge the calls that count")
            }),
        ConformanceCheck(
            .quota, "minimumInterval",
            "Two writes of one subject are as far apart as the vendor asks, and of two subjects are not.",
            setup: World.Setup(restrict: { $0.writeDelay = [:] }),
            when: { world in world.paced != nil },
            supported: { world in
                guard let (operation, interval) = world.paced else { return }
                for device in world.deviceIDs.prefix(2) {
                    guard let outline = try world.outline(of: operation, device: device) else { return }
                    try await world.client.run(outline.exchange)
                }
                try expectEqual(
                    world.clock.elapsed, .zero, "the wait between two devices",
                    hint: "a minimum interval is per subject")
                let again = try world.required(operation)
                try await world.client.run(again.exchange)
                try expect(
                    world.clock.elapsed >= interval, "a wait of \(interval)", actual: "\(world.clock.elapsed)",
                    hint: "give the exchange its subject")
            },
            refused: { world in
                guard world.has(.addTags) else { return }
                for _ in 0..<2 { _ = try await world.client.updateTags(.add(Set(world.tags(1))), of: world.device) }
                try expectEqual(world.clock.elapsed, .zero, "the wait", hint: "no minimum interval is declared")
            }),
    ]
}

extension World {
    /// A call that takes from a quota: the one for reading, or the first of all.
    fileprivate var charged: Outline? {
        let calls = [readable].compactMap { $0 } + ((try? outlines()) ?? [])
        return calls.first { call in
            call.exchange.charges.contains { provider.capabilities.quotas[$0.bucket] != nil }
        }
    }

    /// A paced operation on a device that the kit can do.
    fileprivate var paced: (operation: Feature, minimumInterval: Duration)? {
        let operations: [Feature] = [.addTags, .removeTags, .replaceTags, .clearTags, .setAlias, .removeAlias]
        return operations.lazy.compactMap { operation in
            provider.capabilities.minimumInterval[operation].map { (operation: operation, minimumInterval: $0) }
        }.first { provider.capabilities[$0.operation] == .native }
    }
}
