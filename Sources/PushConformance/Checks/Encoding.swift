import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// How requests are written.
    static let encoding: [ConformanceCheck] = [
        ConformanceCheck(
            .encoding, "deterministic", "The same call makes the same request every time.", isSafeLive: true
        ) { world in
            let (first, second) = (try world.sampleCalls(), try world.sampleCalls())
            for (first, second) in zip(first, second) {
                try expect(
                    first.request == second.request, "two equal requests",
                    actual: "different ones for \(first.operation)",
                    hint: "an encoder has no clock, randomness or counter")
            }
        },
        ConformanceCheck(
            .encoding, "ordered", "Sets are written in a fixed order, whatever their order in memory.", isSafeLive: true
        ) { world in
            let tags = world.tags(8)
            var other = Set<Tag>(minimumCapacity: 512)
            for tag in tags.reversed() { other.insert(tag) }
            let audiences: [Feature] = [.audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf]
            func sampleCalls(_ tags: Set<Tag>) throws -> [ErasedExchange] {
                var sampleCalls: [ErasedExchange] = []
                let takesAll = world.provider.capabilities.limits[.tagsPerCall]?.maximum ?? .max >= tags.count
                for operation in World.deviceOperations where takesAll {
                    if let sample = try world.sample(of: operation, tags: tags) { sampleCalls.append(sample) }
                }
                for (kind, audience) in zip(
                    audiences, [.tagged(anyOf: tags), .tagged(allOf: tags), .tagged(noneOf: tags)] as [Audience])
                where world.has(kind) {
                    if let sample = try world.sample(of: .send, audience: audience) { sampleCalls.append(sample) }
                }
                return sampleCalls
            }
            for (first, second) in zip(try sampleCalls(Set(tags)), try sampleCalls(other)) {
                try expect(
                    first.request == second.request, "equal requests for equal sets",
                    actual: "different ones for \(first.operation)", hint: "sort before writing")
            }
        },
        ConformanceCheck(
            .encoding, "paths", "A name cannot change the address of a call.", isSafeLive: true
        ) { world in
            let nasty = "a/../b?c=d#e%2F;f"
            // An adapter may check the form of its ids.
            let device = world.provider.roles.refusal?(.device("plain")) == nil ? "plain" : world.device
            for operation in Roles.operations.keys.sorted() {
                guard let plain = try world.sample(of: operation, device: device, tags: ["plain"], alias: "plain")
                else { continue }
                let risky: ErasedExchange?
                do throws(PushError) {
                    risky = try world.sample(
                        of: operation, device: DeviceID(nasty), tags: [Tag(nasty)], alias: Alias(nasty))
                } catch {
                    try expectEqual(error.kind, .invalidArgument, "the kind", hint: "\(error)")
                    continue
                }
                guard let risky else { continue }
                let (expected, actual) = (try world.path(of: plain), try world.path(of: risky))
                try expectEqual(
                    actual.split(separator: "/").count, expected.split(separator: "/").count,
                    "the segments of \(plain.operation)", hint: "pass names as .value segments")
                try expect(
                    !(try risky.request.target().contains("#")) && !actual.contains(";"), "an encoded path",
                    actual: actual, hint: "pass names as .value segments")
                try expectEqual(
                    risky.request.route, plain.request.route, "the route",
                    hint: "a name in a .literal segment ends up in logs and metrics")
            }
        },
        ConformanceCheck(
            .encoding, "devices", "Different devices, names and audiences make different requests.",
            isSafeLive: true
        ) { world in
            for operation in World.deviceOperations + [.send, .validate] {
                guard let first = try world.sample(of: operation, device: world.deviceIDs[0]),
                    let second = try world.sample(of: operation, device: world.deviceIDs[1])
                else { continue }
                // Without lists of devices, both have the same audience.
                if [.send, .validate].contains(operation), !world.has(.audienceDevices) { continue }
                try expect(
                    first.request != second.request, "different requests for different devices",
                    actual: "the same for \(operation)", hint: "put the device into the request")
            }
            let aliases = world.aliases
            let most = world.client.capabilities.limits[.aliasesPerSend]?.maximum ?? 2
            if world.has(.audienceAliases), let one = try world.sample(of: .send, audience: .aliases([aliases[0]])),
                let two = try world.sample(of: .send, audience: .aliases(aliases.prefix(2).suffix(most)))
            {
                try expect(
                    one.request != two.request, "different requests for different aliases", hint: "send all of them")
            }
        },
        ConformanceCheck(
            .encoding, "keys", "A send with an idempotency key carries it and is marked as keyed.", isSafeLive: true,
            when: { $0.isKeyed && $0.has(.send) },
            supported: { world in
                let text = "key-to-look-for-4711"
                let key = IdempotencyKey(
                    text, kind: .push, mintedAt: .distantPast, expiresAt: .distantFuture)
                guard let sample = try world.sample(of: .send, key: key) else { return }
                try expectEqual(
                    sample.exchange.idempotency, .keyed(key), "the idempotency", hint: "mark it as .keyed")
                let wire = "\(try sample.request.target()) \(sample.request.headers.map(\.value)) \(sample.text)"
                try expectEqual(
                    wire.ranges(of: text).count, 1, "the number of times that the key is in the request",
                    hint: "if the vendor never sees the key, a retry delivers twice")
            },
            refused: { world in
                guard world.has(.send) else { return try await world.expectRefusal(of: .send) }
                let sample = try world.required(.send)
                try expectEqual(
                    sample.exchange.idempotency, .unkeyed, "the idempotency",
                    hint: "without a key, a retry delivers twice")
            }),
        ConformanceCheck(
            .encoding, "explained", "The client sends exactly what explain lists.", needs: [.send, .audienceDevices]
        ) { world in
            let explanation = world.client.explain(world.message, to: .devices([world.device]))
            guard let step = explanation.steps.last else {
                throw ConformanceFailure(
                    expected: "a step", actual: "\(explanation.refusals)", hint: "explain refuses what send accepts")
            }
            _ = try await world.client.send(world.message, to: .devices([world.device]))
            let sample = try world.required(.send)
            let sent = try world.provider.dataCenter.url(of: sample.request)
            try expectEqual(world.tap.requests.last?.url, sent, "the address", hint: "an encoder must be pure")
            try expectEqual(
                step.url, sample.request.address?.description ?? sent, "the address that explain shows",
                hint: "a target's own address is a secret")
            try expectEqual(world.tap.count, explanation.steps.count, "the requests", hint: "one call is one request")
        },
        ConformanceCheck(
            .encoding, "bodies", "A JSON body is valid JSON and has a JSON content type.", isSafeLive: true
        ) { world in
            for sample in try world.sampleCalls() {
                guard case .bytes(let bytes, let type) = sample.request.body else { continue }
                guard type.contains("json") || bytes.first == 0x7B || bytes.first == 0x5B else { continue }
                try expect(
                    (try? JSONValue(parsing: bytes)) != nil && type.contains("json"), "JSON for \(sample.operation)",
                    actual: "\(bytes.count) bytes of \(type)", hint: "use JSONWriter, and WireBody.json")
            }
        },
    ]

    /// Texts on their way to the vendor and back.
    static let texts: [ConformanceCheck] =
        Corpus.messages.map { name, text in
            ConformanceCheck(
                .encoding, "message.\(name)",
                "A message's texts arrive unchanged, or are refused before sending: \(name).",
                needs: [.send, .contentNotification, .audienceDevices]
            ) { world in
                let hasExtras = world.client.capabilities.fields.contains(.extras)
                let extras: [String: JSONValue] = hasExtras ? ["k\(text)": .string(text)] : [:]
                let message = Message(
                    notification: Notification(title: "T\(text)", body: "B\(text)", extras: extras))
                _ = try await world.client.send(message, to: .devices(world.deviceIDs))
                for device in world.deviceIDs {
                    let delivered = try await world.inbox(device).last
                    try expectSame(delivered?.title, "T\(text)", "the title")
                    try expectSame(delivered?.alert, "B\(text)", "the body")
                    try expectEqual(delivered?.extras, extras, "the extras", hint: "keys and values are texts too")
                }
            }
        }
        + Corpus.messages.map { name, text in
            ConformanceCheck(
                .encoding, "custom.\(name)", "A custom message's content arrives unchanged: \(name).",
                needs: [.send, .contentCustom, .audienceDevices]
            ) { world in
                let hasExtras = world.client.capabilities.fields.contains(.customExtras)
                let extras: [String: JSONValue] = hasExtras ? ["k": .string(text)] : [:]
                let message = Message(custom: CustomMessage(content: text, extras: extras))
                _ = try await world.client.send(message, to: .devices([world.device]))
                let delivered = try await world.inbox(world.device).last
                try expectSame(delivered?.custom?.content, text, "the content")
                try expectEqual(delivered?.custom?.extras, extras, "the extras", hint: "they are texts too")
            }
        }
        + [
            ConformanceCheck(
                .encoding, "message.data",
                "A message's data keeps its structure and every digit, or is refused before sending.",
                needs: [.send, .contentNotification, .audienceDevices]
            ) { world in
                let extras: [String: JSONValue] = [
                    "long": 9_007_199_254_740_993, "flag": true, "nothing": .null, "list": [1, "two", [3]],
                    "deep": ["a": ["b": ["c": 0]]], "empty": "",
                ]
                let message = Message(notification: Notification(body: "data", extras: extras))
                let early: [PushError.Kind] = [.unsupported, .invalidArgument]
                guard try await world.sendOrRefuse(message, to: .devices([world.device]), refusedAs: early) else {
                    return
                }
                try expectEqual(
                    try await world.inbox(world.device).last?.extras, extras, "the extras",
                    hint: "numbers go through Decimal, not Double")
            }
        ]
        + Corpus.names.map { name, text in
            ConformanceCheck(
                .encoding, "tag.\(name)", "A tag arrives unchanged, or is refused before sending: \(name).",
                when: { $0.has(.addTags) && (try? $0.check(Tag(text))) != nil },
                supported: { world in
                    _ = try await world.client.updateTags(.add([Tag(text)]), of: world.device)
                    try expectEqual(
                        try await world.tags(world.device), [Tag(text)], "the tags at the vendor",
                        hint: "every byte must match")
                    if world.has(.readTags) {
                        try expectEqual(
                            try await world.client.readTags(of: world.device), [Tag(text)], "the tags",
                            hint: "every byte must match")
                    }
                    if world.has(.testTag) {
                        let isSet = try await world.client.hasTag(Tag(text), device: world.device)
                        try expect(isSet, "the tag found by its name", hint: "encode it in the path")
                    }
                },
                refused: { world in
                    try await world.expectRefusal(
                        "the tag", as: [.invalidArgument, .tooLong, .unsupported],
                        hint: "a character in it is not allowed"
                    ) { () async throws(PushError) in
                        try await world.client.updateTags(.add([Tag(text)]), of: world.device)
                    }
                })
        }
        + Corpus.names.map { name, text in
            ConformanceCheck(
                .encoding, "alias.\(name)", "An alias arrives unchanged, or is refused before sending: \(name).",
                when: { $0.has(.setAlias) && (try? $0.check(Alias(text))) != nil },
                supported: { world in
                    try await world.client.setAlias(Alias(text), of: world.device)
                    try expectSame(try await world.snapshot(world.device).alias, text, "the alias at the vendor")
                    if world.has(.readAlias) {
                        try expectSame(try await world.client.readAlias(of: world.device)?.rawValue, text, "the alias")
                    }
                },
                refused: { world in
                    try await world.expectRefusal(
                        "the alias", as: [.invalidArgument, .tooLong, .unsupported],
                        hint: "a character in it is not allowed"
                    ) { () async throws(PushError) in try await world.client.setAlias(Alias(text), of: world.device) }
                })
        }
}

/// Compares bytes: Swift treats strings that look the same as equal, a vendor does not.
private func expectSame(_ actual: String?, _ expected: String, _ what: String) throws(ConformanceFailure) {
    try expect(
        actual.map { Array($0.utf8) } == Array(expected.utf8), "\(what) unchanged: \(Redaction.quoted(expected))",
        actual: actual.map { Redaction.quoted($0) } ?? "nothing", hint: "do not normalize or drop anything")
}

extension ErasedExchange {
    /// The body as text.
    var text: String {
        switch request.body {
        case .none: ""
        case .bytes(let bytes, _): String(decoding: bytes, as: UTF8.self)
        case .multipart: ""
        }
    }
}
