import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The effects of attribute calls at the vendor.
    static let attributes: [ConformanceCheck] =
        [
            ConformanceCheck(
                .behavior, "attributes.read", "Reading attributes returns exactly the attributes that the vendor has.",
                needs: [.readAttributes]
            ) { world in
                try expectEqual(
                    try await world.client.readAttributes(of: world.device), [:], "the attributes of a new device",
                    hint: "an empty dictionary")
                guard world.has(.addAttributes) else { return }
                _ = try await world.client.updateAttributes(.add(world.attributes(3)), of: world.device)
                try expectEqual(
                    try await world.client.readAttributes(of: world.device), world.attributes(3), "the attributes",
                    hint: "names and values")
            },
            ConformanceCheck(
                .behavior, "attributes.add", "Setting attributes replaces their old values and keeps the others.",
                needs: [.addAttributes]
            ) { world in
                var wanted = world.attributes(2)
                _ = try await world.client.updateAttributes(.add(wanted), of: world.device)
                let first = world.harness.samples.attributeNames[0]
                let outcome = try await world.client.updateAttributes(.add([first: "new"]), of: world.device)
                wanted[first] = "new"
                try expectEqual(
                    try await world.snapshot(world.device).attributes, wanted, "the attributes",
                    hint: "add must not replace")
                try expectEqual(outcome.added, [first], "the names that were set", hint: "as the vendor confirmed")
                try expectEqual(
                    try await world.snapshot(world.deviceIDs[1]).attributes, [:], "the attributes of another device",
                    hint: "change only one device")
            },
            ConformanceCheck(
                .behavior, "attributes.remove",
                "Removing attributes keeps the others, and removing an absent one is harmless.",
                needs: [.removeAttributes, .addAttributes]
            ) { world in
                let names = world.harness.samples.attributeNames
                _ = try await world.client.updateAttributes(.add(world.attributes(2)), of: world.device)
                _ = try await world.client.updateAttributes(.remove([names[0], names[2]]), of: world.device)
                try expectEqual(
                    Set(try await world.snapshot(world.device).attributes.keys), [names[1]], "the names",
                    hint: "remove only the named ones")
            },
            ConformanceCheck(
                .behavior, "attributes.replace", "Replacing attributes leaves exactly the new ones.",
                needs: [.replaceAttributes, .addAttributes]
            ) { world in
                _ = try await world.client.updateAttributes(.add(world.attributes(3)), of: world.device)
                for wanted in [world.attributes(1), [:]] {
                    let outcome = try await world.client.updateAttributes(.replace(wanted), of: world.device)
                    try expectEqual(
                        try await world.snapshot(world.device).attributes, wanted, "the attributes",
                        hint: "no more, no less")
                    try expect(
                        !outcome.isAtomic || outcome.requests == 1, "an outcome that is not marked atomic",
                        actual: "\(outcome.requests) requests", hint: "several requests are not atomic")
                }
            },
            ConformanceCheck(
                .behavior, "attributes.clear", "Clearing removes all attributes of one device and none of the others.",
                needs: [.clearAttributes, .addAttributes]
            ) { world in
                for device in world.deviceIDs.prefix(2) {
                    _ = try await world.client.updateAttributes(.add(world.attributes(2)), of: device)
                }
                _ = try await world.client.updateAttributes(.clear, of: world.device)
                try expectEqual(
                    try await world.snapshot(world.device).attributes, [:], "the attributes", hint: "all of them")
                try expectEqual(
                    try await world.snapshot(world.deviceIDs[1]).attributes, world.attributes(2), "another device's",
                    hint: "change only one device")
            },
            ConformanceCheck(
                .partial, "attributes", "Attributes that the app does not have are reported, and the others are set.",
                when: { $0.has(.addAttributes) && $0.harness.samples.unknownAttribute != nil },
                supported: { world in
                    guard let unknown = world.harness.samples.unknownAttribute else { return }
                    var wanted = world.attributes(1)
                    let known = Set(wanted.keys)
                    wanted[unknown] = "x"
                    let outcome = try await world.client.updateAttributes(.add(wanted), of: world.device)
                    try expectEqual(
                        outcome.rejected, [unknown], "the rejected names", hint: "the receipt names them")
                    try expectEqual(outcome.added, known, "the names set", hint: "the others")
                    try expect(!outcome.isComplete, "an incomplete outcome", hint: "a name was rejected")
                    try expectEqual(
                        Set(try await world.snapshot(world.device).attributes.keys), known, "the names at the vendor",
                        hint: "as reported")
                    let error = try await expectError("a change of unknown names only", hint: "nothing was changed") {
                        () async throws(PushError) in
                        try await world.client.updateAttributes(.add([unknown: "x"]), of: world.device)
                    }
                    try expectEqual(error.effect, .notApplied, "the effect", hint: "nothing was changed")
                },
                refused: { world in
                    guard world.has(.addAttributes) else { return try await world.expectRefusal(of: .addAttributes) }
                    let outcome = try await world.client.updateAttributes(.add(["anything": "x"]), of: world.device)
                    try expect(
                        outcome.isComplete, "any name to be accepted", hint: "else set unknownAttribute in the samples")
                }),
            ConformanceCheck(
                .refusal, "empty.attribute",
                "An attribute without a name is refused, and so is an empty set of attributes.",
                needs: [.addAttributes], isSafeLive: true
            ) { world in
                for attributes in [[:], ["": "x"]] {
                    try await world.expectRefusal("the change", as: [.invalidArgument], hint: "check before encoding") {
                        () async throws(PushError) in
                        try await world.client.updateAttributes(.add(attributes), of: world.device)
                    }
                }
            },
            ConformanceCheck(
                .refusal, "attribute.value", "The longest attribute value passes, and one unit more is refused.",
                when: {
                    $0.has(.addAttributes) && $0.client.capabilities.limits[.attributeValue]?.overflow == .reject
                },
                supported: { world in
                    let limits = world.client.capabilities.limits
                    guard let bound = limits[.attributeValue] else { return }
                    let name = world.harness.samples.attributeNames[0]
                    let longest = try world.text(filling: bound, characters: limits[charactersOf: .attributeValue])
                    _ = try await world.client.updateAttributes(.add([name: longest]), of: world.device)
                    try expectEqual(
                        try await world.snapshot(world.device).attributes, [name: longest], "the attributes",
                        hint: "never truncate")
                    try await world.expectRefusal("a value over the limit", as: [.tooLong], hint: "\(bound)") {
                        () async throws(PushError) in
                        try await world.client.updateAttributes(
                            .add([name: longest + String(longest.suffix(1))]), of: world.device)
                    }
                },
                refused: { world in
                    guard world.has(.addAttributes) else { return try await world.expectRefusal(of: .addAttributes) }
                    let name = world.harness.samples.attributeNames[0]
                    _ = try? await world.client.updateAttributes(
                        .add([name: String(repeating: "v", count: 500)]), of: world.device)
                    try expect(world.tap.count > 0, "a request", actual: "none", hint: "no limit is stated")
                }),
            ConformanceCheck(
                .retry, "attribute",
                "The client retries an attribute change after a lost response, with the result of one call.",
                needs: [.addAttributes]
            ) { world in
                let adding = try world.required(.addAttributes)
                world.host.faults.add(.actedThenLost, path: try world.path(of: adding))
                _ = try await world.client.updateAttributes(.add(world.attributes(1)), of: world.device)
                try expectEqual(world.tap.count, 2, "the requests", hint: "setting twice is setting once: .idempotent")
                try expectEqual(
                    try await world.snapshot(world.device).attributes, world.attributes(1), "the attributes",
                    hint: "as given")
            },
        ]
        + Corpus.names.map { name, text in
            ConformanceCheck(
                .encoding, "attribute.\(name)", "An attribute's value arrives unchanged, or is refused: \(name).",
                when: { world in
                    world.has(.addAttributes)
                        && (try? world.client.capabilities.limits.check(
                            .attributes([world.harness.samples.attributeNames[0]: text]), of: world.provider.id)) != nil
                },
                supported: { world in
                    let attributes = [world.harness.samples.attributeNames[0]: text]
                    _ = try await world.client.updateAttributes(.add(attributes), of: world.device)
                    let values = try await world.snapshot(world.device).attributes.values.map { Array($0.utf8) }
                    try expectEqual(values, [Array(text.utf8)], "the value at the vendor", hint: "all bytes must match")
                },
                refused: { world in
                    try await world.expectRefusal(
                        "the value", as: [.invalidArgument, .tooLong, .unsupported], hint: "the limits do not allow it"
                    ) { () async throws(PushError) in
                        try await world.client.updateAttributes(
                            .add([world.harness.samples.attributeNames[0]: text]), of: world.device)
                    }
                })
        }
}
