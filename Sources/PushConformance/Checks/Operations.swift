import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The effects of each operation at the vendor.
    static let operations: [ConformanceCheck] = [
        ConformanceCheck(
            .behavior, "send", "A send reaches its audience once and reports the message id.", needs: [.send]
        ) { world in
            let report = try await world.client.send(world.message, to: world.audience)
            try expect(report.isComplete, "a complete report", actual: "\(report)", hint: "the vendor accepted it")
            try expectEqual(try await world.inbox(world.device).count, 1, "the messages received", hint: "exactly one")
            try expectEqual(
                report.messageIDs,
                [world.harness.reportedID(of: try await world.inbox(world.device)[0].messageID)],
                "the message ids",
                hint: "decode the vendor's id as text, with all digits")
        },
        ConformanceCheck(
            .behavior, "send.platforms", "A message for one platform reaches only that platform, or is refused.",
            needs: [.send, .audienceDevices]
        ) { world in
            var message = world.message
            let platforms = world.devices.map(\.platform)
            message.platforms = [platforms[1]]
            guard try await world.sendOrRefuse(message, to: .devices(world.deviceIDs)) else { return }
            try expectEqual(
                try await world.deliveries(), platforms.map { $0 == platforms[1] ? 1 : 0 }, "the messages received",
                hint: "write the message's platforms")
        },
        ConformanceCheck(
            .behavior, "validate", "A validation checks a message and delivers nothing.", needs: [.validate]
        ) { world in
            _ = try await world.client.validate(world.message, to: world.audience)
            try expectEqual(try await world.deliveries(), [0, 0, 0], "the messages received", hint: "nothing is sent")
        },
        ConformanceCheck(
            .behavior, "validate.live", "The vendor accepts a validation of a plain message.",
            needs: [.validate, .audienceEveryone], isSafeLive: true
        ) { world in
            _ = try await world.validateForEveryone()
            try expect(world.tap.count >= 1, "a request", actual: "none", hint: "ask the vendor")
        },
        ConformanceCheck(
            .behavior, "keys.mint", "Minting returns the requested number of different push keys, which expire later.",
            needs: [.mintKeys], isSafeLive: true
        ) { world in
            guard let mint = try world.provider.roles.mintKeys?(3, .send) else { return }
            let keys = try await world.client.run(mint)
            try world.expectGood(keys)
        },
        ConformanceCheck(
            .behavior, "deliveries",
            "A report counts the devices that received a message, and none for an unknown message.",
            needs: [.readDeliveries, .send]
        ) { world in
            let report = try await world.client.send(world.message, to: world.audience)
            let ids = report.messageIDs + [world.harness.samples.unknownMessage]
            let reports = try await world.client.readDeliveries(of: ids)
            guard let row = reports.first(where: { [$0.messageID] == report.messageIDs }) else {
                throw ConformanceFailure(
                    expected: "a row for the message", actual: "\(reports.count) rows without it",
                    hint: "ids are text with all digits")
            }
            try expectEqual(row.received, 1, "the received count over all channels", hint: "\(row.channels)")
            let unknown = reports.first { $0.messageID == world.harness.samples.unknownMessage }
            try expectEqual(unknown?.received ?? 0, 0, "the count of an unknown message", hint: "no device received it")
        },
        ConformanceCheck(
            .behavior, "probe", "A probe succeeds with the right credentials and changes nothing.",
            needs: [.probeCredentials], isSafeLive: true
        ) { world in
            try await world.use(.probeCredentials)
            try expectEqual(world.tap.count, 1, "the requests", hint: "a probe is one call")
            guard world.level != .live else { return }
            try expectEqual(try await world.deliveries(), [0, 0, 0], "the messages received", hint: "only read")
        },
        ConformanceCheck(
            .behavior, "probe.refused", "A probe with wrong credentials is refused as unauthorized or misconfigured.",
            needs: [.probeCredentials]
        ) { world in
            let sample = try world.required(.probeCredentials)
            let forger = Forger(base: world.provider)
            let client = PushClient(forger, transport: world.tap, configuration: world.client.configuration)
            let error = try await expectError("the probe", hint: "otherwise it would accept any data center") {
                () async throws(PushError) in try await client.run(sample.exchange)
            }
            try expect(
                [.unauthorized, .misconfigured].contains(error.kind), "unauthorized or misconfigured",
                actual: "\(error)",
                hint: "map the vendor's code for wrong credentials")
            try expectEqual(error.effect, .notApplied, "the effect", hint: "the vendor refused")
        },
    ]
}

extension World {
    /// Validates a message to everyone; returns nil if the app has no devices, which also shows that the vendor
    /// understood the message.
    ///
    /// Returns the receipt because Swift 6.3.1 crashes when it optimizes this function without it.
    @inline(never)
    fileprivate func validateForEveryone() async throws(PushError) -> SendReceipt? {
        do throws(PushError) {
            return try await client.validate(message, to: .everyone)
        } catch {
            guard error.kind == .noTarget else { throw error }
            return nil
        }
    }

    fileprivate func expectGood(_ keys: [IdempotencyKey]) throws {
        try expectEqual(Set(keys.map(\.value)).count, 3, "the number of different keys", hint: "decode all of them")
        for key in keys {
            try expectEqual(key.kind, .push, "the kind", hint: "schedules have keys of their own")
            if let lifetime = harness.samples.keyLifetime {
                try expectEqual(
                    key.expiresAt.timeIntervalSince(key.mintedAt), Double(lifetime.components.seconds),
                    "a key's lifetime in seconds", hint: "as long as the vendor remembers it")
            }
            try expect(
                key.expiresAt > key.mintedAt && abs(key.mintedAt.timeIntervalSince(clock.date)) < 60,
                "a key minted now that expires later", actual: "\(key.mintedAt) to \(key.expiresAt)",
                hint: "use the time of the response: an adapter has no clock")
        }
    }
}

/// A provider with wrong credentials: the sensitive header fields of the right ones, reversed.
private struct Forger: ForwardingProvider, Authorizer {
    let base: any PushProvider

    var authorizer: any Authorizer { self }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        var forged = HTTPFields()
        for field in try base.authorizer.authorize(request, as: scope, with: token, at: now) {
            guard field.indexingStrategy == .disallow else {
                forged.append(field)
                continue
            }
            forged.append(HTTPField(name: field.name, value: String(field.value.reversed())))
        }
        return forged
    }
}
