import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// Tags of a device, also together with its alias.
    static let tags: [ConformanceCheck] = [
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
    ]
}
