import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// How calls share the vendor's quotas.
    static let quota: [ConformanceCheck] = [
        ConformanceCheck(
            .quota, "spent", "Calls beyond a quota wait for its next window; they are not refused.",
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
                    world.provider.capabilities.quotas.isEmpty, "no quota, because no call is charged",
                    actual: "\(world.provider.capabilities.quotas.keys.sorted())", hint: "charge the calls that count")
            }),
        ConformanceCheck(
            .quota, "throttled", "After a throttle, other calls of the same quota also wait.",
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
                    world.clock.elapsed >= .seconds(9), "a wait until the quota resets",
                    actual: "\(world.clock.elapsed)",
                    hint: "charge the call, and read the reset time in facts(in:)")
            },
            refused: { world in
                try expect(
                    world.provider.capabilities.quotas.isEmpty || world.charged.map { !world.namesReset($0) } == true,
                    "no quota, or no stated reset time", actual: "both", hint: "charge the calls that count")
            }),
        ConformanceCheck(
            .quota, "minimumInterval",
            "Writes to one subject are a minimum interval apart; writes to different subjects do not wait.",
            setup: World.Setup(restrict: { $0.writeDelay = [:] }),
            when: { world in world.spaced != nil },
            supported: { world in
                guard let (operation, interval) = world.spaced else { return }
                for device in world.deviceIDs.prefix(2) {
                    guard let sample = try world.sample(of: operation, device: device) else { return }
                    try await world.client.run(sample.exchange)
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
    /// A call that is charged to a quota: the one that reads, or else the first, or else the one that gets a token.
    fileprivate var charged: ErasedExchange? {
        let calls = [readable] + ((try? sampleCalls()) ?? []) + [try? tokenRequest()]
        return calls.lazy.compactMap { $0 }.first { call in
            call.exchange.charges.contains { provider.capabilities.quotas[$0.bucket] != nil }
        }
    }

    /// A device operation with a minimum interval that the kit can call.
    fileprivate var spaced: (operation: Feature, minimumInterval: Duration)? {
        let operations: [Feature] = [.addTags, .removeTags, .replaceTags, .clearTags, .setAlias, .removeAlias]
        return operations.lazy.compactMap { operation in
            provider.capabilities.minimumInterval[operation].map { (operation: operation, minimumInterval: $0) }
        }.first { provider.capabilities[$0.operation] == .native }
    }
}
