import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The alias of a device.
    static let aliases: [ConformanceCheck] = [
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
    ]
}
