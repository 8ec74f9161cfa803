import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// Values at a limit and just above it.
    static let limits: [ConformanceCheck] = [
        ConformanceCheck(
            .refusal, "tag.length", "The longest tag passes, and one unit more is refused, in the limit's unit.",
            when: { $0.has(.addTags) && $0.client.capabilities.limits[.tagLength]?.overflow == .reject },
            supported: { world in
                let limits = world.client.capabilities.limits
                guard let bound = limits[.tagLength] else { return }
                for scalars in World.scalars.indices.map({ Array(World.scalars[$0...]) }) {
                    let longest = try world.text(
                        filling: bound, characters: limits[charactersOf: .tagLength], from: scalars)
                    guard let last = longest.last else { continue }
                    _ = try await world.client.updateTags(.add([Tag(longest)]), of: world.device)
                    try expect(
                        try await world.tags(world.device).contains(Tag(longest)), "the longest tag, whole",
                        actual: "it is not there", hint: "never truncate")
                    try await world.expectRefusal(
                        "a tag over the limit", as: [.tooLong], hint: "\(bound)"
                    ) { () async throws(PushError) in
                        try await world.client.updateTags(.add([Tag(longest + String(last))]), of: world.device)
                    }
                }
            },
            refused: { world in
                guard world.has(.addTags) else { return try await world.expectRefusal(of: .addTags) }
                _ = try? await world.client.updateTags(
                    .add([Tag(String(repeating: "t", count: 500))]), of: world.device)
                try expect(world.tap.count > 0, "a request", actual: "none", hint: "check only stated limits")
            }),
        ConformanceCheck(
            .refusal, "alias.length",
            "The longest alias passes, and one unit more is refused, in the limit's unit.",
            when: { $0.has(.setAlias) && $0.client.capabilities.limits[.aliasLength]?.overflow == .reject },
            supported: { world in
                let limits = world.client.capabilities.limits
                guard let bound = limits[.aliasLength] else { return }
                let longest = try world.text(filling: bound, characters: limits[charactersOf: .aliasLength])
                try await world.client.setAlias(Alias(longest), of: world.device)
                try expectEqual(
                    try await world.snapshot(world.device).alias, longest, "the alias at the vendor",
                    hint: "never truncate")
                try await world.expectRefusal("an alias over the limit", as: [.tooLong], hint: "\(bound)") {
                    () async throws(PushError) in
                    try await world.client.setAlias(Alias(longest + String(longest.suffix(1))), of: world.device)
                }
            },
            refused: { world in
                guard world.has(.setAlias) else { return try await world.expectRefusal(of: .setAlias) }
                try? await world.client.setAlias(Alias(String(repeating: "t", count: 500)), of: world.device)
                try expect(world.tap.count > 0, "a request", actual: "none", hint: "check only stated limits")
            }),
        ConformanceCheck(
            .refusal, "payload",
            "A message over the vendor's limit of bytes is refused before it is sent, one below passes.",
            when: {
                $0.has(.send) && $0.has(.contentNotification)
                    && $0.client.capabilities.limits[.payloadBytes]?.overflow == .reject
            },
            supported: { world in
                guard let bound = world.client.capabilities.limits[.payloadBytes] else { return }
                func message(_ count: Int) -> Message {
                    Message(notification: Notification(title: "T", body: String(repeating: "b", count: count)))
                }
                _ = try await world.client.send(message(bound.maximum / 2), to: world.audience)
                try expectEqual(
                    try await world.inbox(world.device).first?.alert?.count, bound.maximum / 2,
                    "the text that the device shows", hint: "never truncate")
                try await world.expectRefusal("a message over the limit", as: [.tooLong], hint: "\(bound)") {
                    () async throws(PushError) in
                    try await world.client.send(message(bound.maximum + 1), to: world.audience)
                }
            },
            refused: { world in
                guard try await !world.expectRefusal(ofFirstMissing: [.send, .contentNotification]) else { return }
                let text = String(repeating: "b", count: world.longText)
                _ = try? await world.client.send(
                    Message(notification: Notification(title: "T", body: text)), to: world.audience)
                try expect(world.tap.count > 0, "a request", actual: "none", hint: "check only stated limits")
            }),
        ConformanceCheck(
            .refusal, "tags.device",
            "The most tags that a device can have pass, and one more is refused before sending.",
            when: { $0.has(.addTags) && $0.client.capabilities.limits[.tagsPerDevice]?.overflow == .reject },
            supported: { world in
                let most = world.client.capabilities.limits[.tagsPerDevice]?.maximum ?? 0
                _ = try await world.client.updateTags(.add(Set(world.tags(most))), of: world.device)
                try expectEqual(try await world.tags(world.device).count, most, "the tags", hint: "drop none")
                if world.has(.readTags) {
                    try expectEqual(
                        try await world.client.readTags(of: world.device).count, most, "the tags read",
                        hint: "all of them, from all pages")
                }
                try await world.expectRefusal("\(most + 1) tags", as: [.limitExceeded], hint: "tagsPerDevice") {
                    () async throws(PushError) in
                    try await world.client.updateTags(.add(Set(world.tags(most + 1))), of: world.device)
                }
            },
            refused: { world in
                guard world.has(.addTags) else { return try await world.expectRefusal(of: .addTags) }
                _ = try await world.client.updateTags(.add(Set(world.tags(3))), of: world.device)
                try expectEqual(try await world.tags(world.device), Set(world.tags(3)), "the tags", hint: "as given")
            }),
        ConformanceCheck(
            .refusal, "tags.audience", "The most tags that an audience can have pass, and one more is refused.",
            when: {
                $0.has(.send) && $0.has(.audienceTagsAnyOf) && $0.has(.addTags)
                    && $0.client.capabilities.limits[.tagsPerSend]?.overflow == .reject
            },
            supported: { world in
                let most = world.client.capabilities.limits[.tagsPerSend]?.maximum ?? 0
                let tags = world.tags(most + 1)
                _ = try await world.client.updateTags(.add([tags[most - 1]]), of: world.device)
                _ = try await world.client.send(world.message, to: .tagged(anyOf: Set(tags.prefix(most))))
                try expectEqual(
                    try await world.inbox(world.device).count, 1, "the messages of the device with the last tag",
                    hint: "send all tags of the set")
                try await world.expectRefusal("\(most + 1) tags", as: [.limitExceeded], hint: "tagsPerSend") {
                    () async throws(PushError) in
                    try await world.client.send(world.message, to: .tagged(anyOf: Set(tags)))
                }
            },
            refused: { world in
                guard world.has(.audienceTagsAnyOf) else {
                    return try await world.expectRefusal(of: .audienceTagsAnyOf)
                }
            }),
        ConformanceCheck(
            .refusal, "timeToLive", "The longest time to live passes, and one second more is refused.",
            when: { $0.has(.send) && $0.client.capabilities.limits[.timeToLive]?.overflow == .reject },
            supported: { world in
                var message = world.message
                let most = world.client.capabilities.limits[.timeToLive]?.maximum ?? 0
                message.timeToLive = .seconds(most)
                _ = try await world.client.send(message, to: world.audience)
                message.timeToLive = .seconds(most + 1)
                let late = message
                try await world.expectRefusal("\(most + 1) s", as: [.limitExceeded, .tooLong], hint: "timeToLive") {
                    () async throws(PushError) in try await world.client.send(late, to: world.audience)
                }
            },
            refused: { world in
                guard world.has(.send) else { return try await world.expectRefusal(of: .send) }
                var message = world.message
                message.timeToLive = .seconds(60)
                _ = try await world.sendOrRefuse(message, to: world.audience)
            }),
        ConformanceCheck(
            .behavior, "tags.split", "A tag change too large for one call is split, and no tag is lost.",
            needs: [.addTags],
            setup: World.Setup(restrict: { $0.limits[.tagsPerCall] = .atMost(2, $0.limits[.tagsPerCall]) })
        ) { world in
            let tags = Set(world.tags(world.tagCount(5)))
            let size = world.client.capabilities.limits[.tagsPerCall]?.maximum ?? 1
            let outcome = try await world.client.updateTags(.add(tags), of: world.device)
            try expectEqual(try await world.tags(world.device), tags, "the tags", hint: "each call adds, none replaces")
            try expectEqual(
                outcome.requests, (tags.count + size - 1) / size, "the requests", hint: "\(size) tags per call")
        },
        ConformanceCheck(
            .behavior, "reports.split", "A report on more messages than one call takes is split into several calls.",
            needs: [.readDeliveries, .send],
            setup: World.Setup(restrict: { $0.limits[.messagesPerReport] = .atMost(2, $0.limits[.messagesPerReport]) })
        ) { world in
            var ids: [MessageID] = []
            for _ in 0..<3 { ids += try await world.client.send(world.message, to: world.audience).messageIDs }
            let reports = try await world.client.readDeliveries(of: ids)
            try expectEqual(Set(reports.map(\.messageID)), Set(ids), "the messages reported on", hint: "all of them")
        },
    ]

    /// Inputs that are wrong at every vendor.
    static let refusal: [ConformanceCheck] = [
        ConformanceCheck(
            .refusal, "empty.tag", "An empty tag is refused before anything is sent.", needs: [.addTags],
            isSafeLive: true
        ) { world in
            try await world.expectRefusal("an empty tag", as: [.invalidArgument], hint: "check before encoding") {
                () async throws(PushError) in try await world.client.updateTags(.add([""]), of: world.device)
            }
            try await world.expectRefusal("an empty set", as: [.invalidArgument], hint: "check before encoding") {
                () async throws(PushError) in try await world.client.updateTags(.add([]), of: world.device)
            }
        },
        ConformanceCheck(
            .refusal, "empty.device", "An empty device id is refused before anything is sent.", needs: [.readTags],
            isSafeLive: true
        ) { world in
            for device in ["", "a b", "a\u{0}"] {
                try await world.expectRefusal("a malformed device id", as: [.invalidArgument], hint: "check the id") {
                    () async throws(PushError) in try await world.client.readTags(of: DeviceID(device))
                }
            }
        },
        ConformanceCheck(
            .refusal, "empty.alias", "An empty alias is refused, not taken as a removal.", needs: [.setAlias],
            isSafeLive: true
        ) { world in
            try await world.expectRefusal(
                "an empty alias", as: [.invalidArgument], hint: "nil removes, \"\" is a mistake"
            ) {
                () async throws(PushError) in try await world.client.setAlias("", of: world.device)
            }
        },
        ConformanceCheck(
            .refusal, "empty.message", "A message without contents is refused before anything is sent.", needs: [.send],
            isSafeLive: true
        ) { world in
            try await world.expectRefusal("an empty message", as: [.invalidArgument], hint: "there is nothing to send")
            {
                () async throws(PushError) in try await world.client.send(Message(), to: world.audience)
            }
        },
        ConformanceCheck(
            .refusal, "empty.audience", "An audience without members is refused, never widened to everyone.",
            needs: [.send], isSafeLive: true
        ) { world in
            for audience: Audience in [.devices([]), .aliases([]), .accounts([]), .tagged(), .segment("")] {
                try await world.expectRefusal(
                    "an empty audience", as: [.invalidArgument, .unsupported], hint: "an empty list is not everyone"
                ) { () async throws(PushError) in try await world.client.send(world.message, to: audience) }
            }
        },
        ConformanceCheck(
            .refusal, "options.unknown", "An unknown option for this vendor is refused, not dropped.",
            needs: [.send, .contentNotification], isSafeLive: true
        ) { world in
            let message = try world.message(with: ["no_such_option": 1], for: world.provider.id)
            try await world.expectRefusal(
                "an unknown option", as: [.invalidArgument, .unsupported], hint: "decode with message.options(_:)"
            ) { () async throws(PushError) in try await world.client.send(message, to: world.audience) }
        },
        ConformanceCheck(
            .behavior, "options.foreign", "Options for another vendor are ignored.",
            needs: [.send, .contentNotification]
        ) { world in
            let message = try world.message(with: ["no_such_option": 1], for: "anothervendor")
            let report = try await world.client.send(message, to: world.audience)
            try expect(report.isComplete, "a complete send", actual: "\(report)", hint: "they are for another vendor")
        },
        ConformanceCheck(
            .refusal, "credentials", "A call with credentials that the adapter does not have is refused.",
            isSafeLive: true
        ) { world in
            let authorizer = world.provider.authorizer
            let request = try world.sampleCalls().first?.request ?? WireRequest(.get, "nowhere")
            for scope in world.harness.samples.scopes.union([.app, .group, .account]) {
                let isSigned =
                    (try? authorizer.authorize(request, as: scope, with: world.token, at: world.clock.date)) != nil
                try expectEqual(
                    isSigned, world.harness.samples.scopes.contains(scope), "whether a call of the \(scope) is signed",
                    hint: "never sign a group's call with the app's key; the harness's samples name the scopes")
            }
        },
    ]
}

extension Limit {
    /// A limit of `count`, or the vendor's maximum if that is smaller.
    static func atMost(_ count: Int, _ bound: Limit?) -> Limit {
        Limit(min(count, bound?.maximum ?? count), .count, .split, source: "the conformance kit")
    }
}

extension World {
    func message(with options: JSONValue, for provider: ProviderID) throws -> Message {
        var object = try JSONValue(parsing: JSONWriter.bytes(of: ["notification": ["body": "Hello"]]))
        if case .object(var fields) = object {
            fields["options"] = .object([provider.rawValue: options])
            object = .object(fields)
        }
        return try WireResponse(status: 200, body: JSONWriter.bytes(of: object)).json(Message.self)
    }
}

extension World {
    /// The characters of a text that is long, and within the vendor's own limits of texts.
    fileprivate var longText: Int {
        let own = client.capabilities.limits.all.filter { limit, bound in
            limit.rawValue.hasPrefix(provider.id.rawValue + ".") && bound.unit == .characters
        }
        return own.map(\.bound.maximum).filter { $0 >= 100 }.min().map { min(500, $0) } ?? 500
    }
}
