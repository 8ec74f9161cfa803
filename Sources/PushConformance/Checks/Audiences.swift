import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The recipients of each kind of audience.
    static let audiences: [ConformanceCheck] =
        [
            ConformanceCheck(
                .behavior, "audience.everyone", "A message to everyone reaches every device once.",
                needs: [.send, .audienceEveryone]
            ) { world in
                _ = try await world.client.send(world.message, to: .everyone)
                try expectEqual(try await world.deliveries(), [1, 1, 1], "the messages received", hint: "all devices")
            },
            ConformanceCheck(
                .behavior, "audience.devices", "A message to some devices reaches those and no others.",
                needs: [.send, .audienceDevices]
            ) { world in
                _ = try await world.client.send(world.message, to: .devices(Array(world.deviceIDs.prefix(2))))
                try expectEqual(
                    try await world.deliveries(), [1, 1, 0], "the messages received", hint: "the listed ones")
            },
            ConformanceCheck(
                .behavior, "audience.aliases", "A message to an alias reaches the devices that have it.",
                needs: [.send, .audienceAliases]
            ) { world in
                if world.has(.setAlias) { try await world.client.setAlias(world.alias, of: world.device) }
                _ = try await world.client.send(world.message, to: world.audience(for: .audienceAliases))
                try expectEqual(
                    try await world.deliveries(), [1, 0, 0], "the messages received", hint: "one has the alias")
            },
            ConformanceCheck(
                .behavior, "audience.tags.anyOf",
                "A message to any of some tags reaches the devices that have at least one.",
                needs: [.send, .audienceTagsAnyOf, .addTags]
            ) { world in
                try await world.expectReached("a union") { .tagged(anyOf: $0([1, 2])) }
            },
            ConformanceCheck(
                .behavior, "audience.tags.allOf",
                "A message to all of some tags reaches the devices that have every one.",
                needs: [.send, .audienceTagsAllOf, .addTags]
            ) { world in
                try await world.expectReached("an intersection") { .tagged(allOf: $0([1, 0])) }
            },
            ConformanceCheck(
                .behavior, "audience.tags.noneOf",
                "A message to none of some tags skips the devices that have one of them.",
                needs: [.send, .audienceTagsNoneOf, .addTags]
            ) { world in
                try await world.expectReached("a complement") { .tagged(noneOf: $0([1, 2])) }
            },
            ConformanceCheck(
                .behavior, "audience.tags.combined",
                "A message with all three sets of tags reaches the devices that match all three.",
                needs: [.send, .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf, .addTags]
            ) { world in
                try await world.expectReached("all three hold") {
                    .tagged(anyOf: $0([0, 1]), allOf: $0([0]), noneOf: $0([1]))
                }
            },
        ]
        + [
            ConformanceCheck(
                .behavior, "audience.accounts",
                "A message to accounts reaches the devices of each account, whatever its type.",
                needs: [.send, .audienceAccounts], bindsAccounts: true
            ) { world in
                for (device, account) in zip(world.deviceIDs, world.accounts).prefix(2) {
                    try await world.bind([account], to: device)
                }
                _ = try await world.snapshot(world.device)
                let report = try await world.client.send(world.message, to: .accounts(world.accounts.dropLast()))
                try expectEqual(
                    try await world.deliveries(), [1, 1, 0], "the messages received", hint: "both accounts, each once")
                try expectEqual(report.acceptedCount, 2, "the accounts accepted", hint: "all of them")
            }
        ]
        + [Feature.audienceSegment, .audienceLiveActivity, .audienceFile].map { kind in
            ConformanceCheck(
                .behavior, kind.rawValue, "A message to \(kind) reaches its members and no others.",
                needs: [.send, kind]
            ) { world in
                _ = try await world.client.send(world.message, to: world.audience(for: kind))
                try expectEqual(
                    try await world.deliveries(), [1, 0, 0], "the messages received",
                    hint: "the harness's samples name an audience of the first device")
            }
        }
}

extension World {
    /// The first device of a platform; nil if the adapter's app cannot have the platform.
    func device(on platform: Platform) -> DeviceID? {
        devices.first { $0.platform == platform }.map { DeviceID($0.id) }
    }

    /// Expects an app without iOS devices to accept a message with an iOS badge, and to show none.
    func expectNoBadge(_ badge: Badge) async throws {
        try expect(
            provider.capabilities.platforms?.contains(.ios) == false, "an iOS device among the first three",
            actual: "none", hint: "check the harness's device(_:) and capabilities.platforms")
        let message = Message(notification: Notification(body: "n", ios: IOSNotification(badge: badge)))
        _ = try await client.send(message, to: .devices([device]))
        try expectEqual(try await inbox(device).map(\.badge), [nil], "the badges", hint: "they are for iOS")
    }

    /// An iOS device; of an app without iOS, the first device.
    func iosDevice() throws -> DeviceID {
        if provider.capabilities.platforms?.contains(.ios) == false { return device }
        guard let device = devices.first(where: { $0.platform == .ios }) else {
            throw ConformanceFailure(
                expected: "an iOS device among the first three", actual: "none", hint: "check the harness's device(_:)")
        }
        return DeviceID(device.id)
    }

    /// Gives the first device one tag, the second two, the third another. Then sends to an audience of their tags, with
    /// as many in each set as the vendor accepts.
    fileprivate func expectReached(
        _ hint: String, by audience: ((_ numbers: [Int]) -> Set<Tag>) -> Audience
    ) async throws {
        let tags = tags(3)
        let sets: [Set<Tag>] = [[tags[0]], [tags[0], tags[1]], [tags[2]]]
        for (device, set) in zip(deviceIDs, sets) { _ = try await client.updateTags(.add(set), of: device) }
        let most = client.capabilities.limits[.tagsPerSend]?.maximum ?? .max
        let audience = audience { numbers in Set(numbers.prefix(most).map { tags[$0] }) }
        guard case .tagged(let anyOf, let allOf, let noneOf) = audience else { return }
        let expected = sets.map { set in
            let isMeant = anyOf.isEmpty || !anyOf.isDisjoint(with: set)
            return isMeant && allOf.isSubset(of: set) && noneOf.isDisjoint(with: set) ? 1 : 0
        }
        _ = try await client.send(message, to: audience)
        try expectEqual(try await deliveries(), expected, "the messages received", hint: hint)
    }
}
