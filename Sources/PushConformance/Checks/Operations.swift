import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The effects of each operation at the vendor.
    static let operations: [ConformanceCheck] = [
        ConformanceCheck(
            .behavior, "tags.read", "Reading tags returns exactly the tags that the vendor has.", needs: [.readTags]
        ) {
            world in
            try expectEqual(
                try await world.client.readTags(of: world.device), [], "the tags of a new device", hint: "an empty set")
            guard world.has(.addTags) else { return }
            let tags = Set(world.tags(3))
            _ = try await world.client.updateTags(.add(tags), of: world.device)
            try expectEqual(
                try await world.client.readTags(of: world.device), tags, "the tags", hint: "all of them, from all pages"
            )
        },
        ConformanceCheck(
            .behavior, "tags.add", "Adding tags keeps the others, and adding again changes nothing.", needs: [.addTags]
        ) { world in
            let tags = world.tags(3)
            for part in [tags.prefix(2), tags.suffix(2), tags.prefix(1)] {
                _ = try await world.client.updateTags(.add(Set(part)), of: world.device)
            }
            try expectEqual(try await world.tags(world.device), Set(tags), "the tags", hint: "add must not replace")
            try expectEqual(
                try await world.tags(world.deviceIDs[1]), [], "the tags of another device",
                hint: "change only one device")
        },
        ConformanceCheck(
            .behavior, "tags.remove", "Removing tags keeps the others, and removing an absent one is harmless.",
            needs: [.removeTags, .addTags]
        ) { world in
            let tags = world.tags(4)
            _ = try await world.client.updateTags(.add(Set(tags.prefix(3))), of: world.device)
            _ = try await world.client.updateTags(.remove([tags[0], tags[3]]), of: world.device)
            try expectEqual(
                try await world.tags(world.device), Set(tags[1...2]), "the tags", hint: "remove only the named ones")
        },
        ConformanceCheck(
            .behavior, "tags.replace", "Replacing tags leaves exactly the new set.", needs: [.replaceTags, .addTags]
        ) { world in
            let tags = world.tags(4)
            _ = try await world.client.updateTags(.add(Set(tags.prefix(3))), of: world.device)
            let outcome = try await world.client.replaceTags(with: Set(tags.suffix(2)), of: world.device)
            try expectEqual(
                try await world.tags(world.device), Set(tags.suffix(2)), "the tags", hint: "no more, no less")
            try expect(outcome.isComplete, "a complete outcome", actual: "\(outcome)", hint: "every request succeeded")
            try expectEqual(
                outcome.isAtomic, world.provider.capabilities[.replaceTags] == .native, "isAtomic",
                hint: "several requests are not atomic")
        },
        ConformanceCheck(
            .behavior, "tags.replace.empty", "Replacing with an empty set leaves no tag.",
            needs: [.replaceTags, .addTags]
        ) { world in
            _ = try await world.client.updateTags(.add(Set(world.tags(2))), of: world.device)
            _ = try await world.client.replaceTags(with: [], of: world.device)
            try expectEqual(try await world.tags(world.device), [], "the tags", hint: "the empty set is a set")
        },
        ConformanceCheck(
            .behavior, "tags.clear", "Clearing removes all tags from one device and none from the others.",
            needs: [.clearTags, .addTags]
        ) { world in
            let tags = Set(world.tags(3))
            for device in world.deviceIDs { _ = try await world.client.updateTags(.add(tags), of: device) }
            _ = try await world.client.updateTags(.clear, of: world.device)
            try expectEqual(try await world.tags(world.device), [], "the tags", hint: "all of them")
            try expectEqual(
                try await world.tags(world.deviceIDs[1]), tags, "the tags of another device",
                hint: "change only one device")
        },
        ConformanceCheck(
            .behavior, "device.update",
            "A change of tags and alias in one request makes both changes on one device and leaves the rest.",
            needs: [.updateDevice, .addTags, .setAlias]
        ) { world in
            let tags = world.tags(4)
            for device in world.deviceIDs.prefix(2) {
                _ = try await world.client.updateTags(.add(Set(tags.prefix(2))), of: device)
            }
            let count = world.tap.count
            let outcome = try await world.client.updateDevice(
                DeviceUpdate(tags: .add([tags[2]]), removing: [tags[0]], alias: .set(world.alias)), of: world.device)
            try expectEqual(world.tap.count - count, 1, "the requests", hint: "one for all")
            try expect(
                outcome.isComplete && outcome.isAtomic, "a complete, atomic outcome", actual: "\(outcome)",
                hint: "one request is all or nothing")
            var snapshot = try await world.snapshot(world.device)
            try expectEqual(
                snapshot.tags, [tags[1].rawValue, tags[2].rawValue], "the tags",
                hint: "adds one, removes one, keeps one")
            try expectEqual(snapshot.alias, world.alias.rawValue, "the alias", hint: "set in the same request")
            // Fields that an update does not mention stay; some vendors cannot clear the alias of a device.
            let clears = world.provider.capabilities[.removeAlias] == .native
            _ = try await world.client.updateDevice(
                DeviceUpdate(tags: .remove([tags[1]]), alias: clears ? .clear : nil), of: world.device)
            snapshot = try await world.snapshot(world.device)
            try expectEqual(snapshot.tags, [tags[2].rawValue], "the tags", hint: "remove only the named ones")
            try expectEqual(
                snapshot.alias, clears ? nil : world.alias.rawValue, "the alias",
                hint: ".clear removes it, nil keeps it")
            let other = try await world.snapshot(world.deviceIDs[1])
            try expectEqual(
                other.tags, Set(tags.prefix(2).map(\.rawValue)), "the tags of another device",
                hint: "change only one device")
        },
        ConformanceCheck(
            .behavior, "device.update.refused", "A refused change of tags and alias in one request changes neither.",
            needs: [.updateDevice, .addTags, .setAlias]
        ) { world in
            let update = DeviceUpdate(tags: .add(Set(world.tags(1))), alias: .set(world.alias))
            let unknown = DeviceID(world.harness.device(90).id)
            let long = Alias(String(repeating: "a", count: 5_000))
            for (update, device, what) in [
                (update, unknown, "an unknown device"),
                (DeviceUpdate(tags: update.tags, alias: .set(long)), world.device, "an alias that is too long"),
                (DeviceUpdate(), world.device, "no change"),
            ] {
                let error = try await expectError(what, hint: "refuse the whole change") {
                    () async throws(PushError) in try await world.client.updateDevice(update, of: device)
                }
                try expectEqual(error.effect, .notApplied, "the effect", hint: "\(what) was refused")
            }
            let snapshot = try await world.snapshot(world.device)
            try expect(
                snapshot.tags.isEmpty && snapshot.alias == nil, "neither tags nor an alias",
                actual: "\(snapshot.tags.count) tags, \(snapshot.alias == nil ? "no" : "an") alias",
                hint: "both or neither")
        },
        ConformanceCheck(
            .behavior, "tags.test", "A device has the tags that it was given and no others.",
            needs: [.testTag, .addTags]
        ) { world in
            let tags = world.tags(2)
            _ = try await world.client.updateTags(.add([tags[0]]), of: world.device)
            let answers = [
                try await world.client.hasTag(tags[0], device: world.device),
                try await world.client.hasTag(tags[1], device: world.device),
                try await world.client.hasTag(tags[0], device: world.deviceIDs[1]),
            ]
            try expectEqual(answers, [true, false, false], "the answers", hint: "answer for this tag on this device")
        },
        ConformanceCheck(
            .behavior, "alias.read", "Reading a missing alias gives nil, not an empty alias.", needs: [.readAlias]
        ) {
            world in
            try expectEqual(
                try await world.client.readAlias(of: world.device)?.rawValue, nil, "the alias",
                hint: "\"\" is not an alias")
            guard world.has(.setAlias) else { return }
            try await world.client.setAlias(world.alias, of: world.device)
            try expectEqual(
                try await world.client.readAlias(of: world.device)?.rawValue, world.alias.rawValue, "the alias",
                hint: "as set")
        },
        ConformanceCheck(
            .behavior, "alias.set", "A new alias replaces the old one, on one device only.", needs: [.setAlias]
        ) {
            world in
            try await world.client.setAlias(world.alias, of: world.device)
            try await world.client.setAlias(world.otherAlias, of: world.device)
            try expectEqual(
                try await world.snapshot(world.device).alias, world.otherAlias.rawValue, "the alias",
                hint: "the last one")
            try expectEqual(
                try await world.snapshot(world.deviceIDs[1]).alias, nil, "the alias of another device",
                hint: "change only one device")
        },
        ConformanceCheck(
            .behavior, "alias.sharing", "As many devices share an alias as the capabilities say.",
            when: { $0.has(.setAlias) && $0.client.capabilities.aliasSharing != .unstated },
            supported: { world in
                try await world.client.setAlias(world.alias, of: world.device)
                do throws(PushError) {
                    try await world.client.setAlias(world.alias, of: world.deviceIDs[1])
                } catch {
                    // If only one device can have an alias, the vendor may refuse the second.
                    guard world.client.capabilities.aliasSharing == .one, error.effect == .notApplied else {
                        throw error
                    }
                    return
                }
                let first = try await world.snapshot(world.device).alias
                let expected = world.client.capabilities.aliasSharing == .several ? world.alias.rawValue : nil
                try expectEqual(first, expected, "the alias of the first device", hint: "aliasSharing is wrong")
            },
            refused: { world in
                guard world.has(.setAlias) else { return try await world.expectRefusal(of: .setAlias) }
                try await world.client.setAlias(world.alias, of: world.device)
                try expectEqual(
                    try await world.snapshot(world.device).alias, world.alias.rawValue, "the alias", hint: "as given")
            }),
        ConformanceCheck(
            .behavior, "alias.remove", "Removing an alias leaves none, and removing it again is harmless.",
            needs: [.removeAlias, .setAlias]
        ) { world in
            try await world.client.setAlias(world.alias, of: world.device)
            for _ in 0..<2 { try await world.client.removeAlias(of: world.device) }
            try expectEqual(try await world.snapshot(world.device).alias, nil, "the alias", hint: "no alias at all")
        },
        ConformanceCheck(
            .behavior, "alias.devices", "Reading the devices of an alias returns those that have it.",
            needs: [.readAliasDevices, .setAlias]
        ) { world in
            try expectEqual(
                try await world.client.readDevices(of: world.alias), [], "the devices of an unused alias",
                hint: "an empty set, no error")
            try await world.client.setAlias(world.otherAlias, of: world.deviceIDs[1])
            try await world.client.setAlias(world.alias, of: world.device)
            try expectEqual(
                try await world.client.readDevices(of: world.alias), [world.device], "the devices",
                hint: "the one that has it")
        },
        ConformanceCheck(
            .behavior, "alias.delete", "Deleting an alias removes it from all its devices and keeps other aliases.",
            needs: [.deleteAlias, .setAlias]
        ) { world in
            try await world.client.setAlias(world.alias, of: world.device)
            try await world.client.setAlias(world.otherAlias, of: world.deviceIDs[1])
            for _ in 0..<2 { try await world.client.deleteAlias(world.alias) }
            try expectEqual(try await world.snapshot(world.device).alias, nil, "the alias", hint: "no alias at all")
            try expectEqual(
                try await world.snapshot(world.deviceIDs[1]).alias, world.otherAlias.rawValue, "another device's alias",
                hint: "it stays")
        },
        ConformanceCheck(
            .behavior, "send", "A send reaches its audience once and reports the message id.", needs: [.send]
        ) { world in
            let report = try await world.client.send(world.message, to: world.audience)
            try expect(report.isComplete, "a complete report", actual: "\(report)", hint: "the vendor accepted it")
            try expectEqual(try await world.inbox(world.device).count, 1, "the messages received", hint: "exactly one")
            try expectEqual(
                report.messageIDs.map(\.rawValue), [try await world.inbox(world.device)[0].messageID],
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
private struct Forger: PushProvider, Authorizer {
    let base: any PushProvider

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var capabilities: Capabilities { base.capabilities }
    var roles: Roles { base.roles }
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

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        base.diagnose(response, to: call)
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}
