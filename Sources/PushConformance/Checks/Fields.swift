import PushAdapter
import PushClient

extension ConformanceCheck {
    /// The model's table of message fields, at this vendor: each field is in the request or refused by name, and each rule
    /// holds.
    static let fields: [ConformanceCheck] =
        [own, both, arriving] + FieldRow.all.map(carried) + FieldRow.all.filter { !$0.violations.isEmpty }.map(ruled)

    /// A field changes the request, or is refused by its name.
    private static func carried(_ row: FieldRow) -> ConformanceCheck {
        let field = row.field
        return ConformanceCheck(
            .encoding, "field.\(field)",
            "A message's \(field) changes the request or is refused, unless the vendor or the app has no use for it.",
            needs: [.send, field.isOfCustom ? .contentCustom : .contentNotification], isSafeLive: true
        ) { world in
            for (plain, varied) in examples(row, world) { try expectCarried(field, in: varied, instead: plain, world) }
        }
    }

    /// Each example of a field: a message without it, and the same message with it. A field about the delivery is tried
    /// with each content.
    static func examples(_ row: FieldRow, _ world: World) -> [(plain: Message, varied: Message)] {
        let field = row.field
        let contents: [Feature] =
            field.isOfDelivery
            ? [.contentNotification, .contentCustom] : [field.isOfCustom ? .contentCustom : .contentNotification]
        return contents.filter(world.has).flatMap { content in
            var plain = plainMessage(content)
            // A template is a part of a class, which has fields of its own.
            if field == .template { plain.messageClass = MessageClass(.service, .order) }
            return row.examples.map { [plain] example in
                var varied = plain
                example(&varied)
                return (plain, varied)
            }
        }
    }

    private static func expectCarried(
        _ field: MessageField, in varied: Message, instead plain: Message, _ world: World
    ) throws {
        let isIgnored = world.provider.capabilities.ignoredFields[field] != nil
        let isMeant = !isIgnored && world.isMeant(field, by: varied)
        if isMeant, !world.provider.capabilities.fields.contains(field) {
            let refusals = world.client.explain(varied, to: world.audience).refusals
            // Without any text in a place, the vendor has no key there either; without a class, it has no template.
            let place = field.whole.flatMap { world.provider.capabilities.fields.contains($0) ? nil : $0 }
            return try expect(
                refusals.first?.kind == .unsupported
                    && refusals.first?.message.contains("\(place ?? field)") == true,
                "a refusal of \(field), which is not declared", actual: "\(refusals)",
                hint: "declare the fields that the adapter writes in capabilities.fields")
        }
        let before = try world.sample(of: .send, message: plain)
        let after: ErasedExchange?
        do throws(PushError) {
            after = try world.sample(of: .send, message: varied)
        } catch {
            return try expectEqual(error.kind, .unsupported, "the kind", hint: "\(error)")
        }
        guard isMeant else {
            return try expect(
                after?.request == before?.request, "the same request", actual: "another one",
                hint: "ignore fields for a platform that the app cannot have, and those of capabilities.ignoredFields")
        }
        try expect(
            after?.request != before?.request, "another request, or a refusal", actual: "the same request",
            hint: "refuse what the vendor cannot express; never drop it")
    }

    /// A value that breaks the model's rule is refused, by the client and by the call that the adapter makes.
    private static func ruled(_ row: FieldRow) -> ConformanceCheck {
        let content: Feature = row.field.isOfCustom ? .contentCustom : .contentNotification
        return ConformanceCheck(
            .refusal, "rule.\(row.field)",
            "A message's \(row.field) that breaks its rule is refused before it is sent.",
            needs: [.send, content]
        ) { world in
            let kinds: [PushError.Kind] = [.invalidArgument, .tooLong, .unsupported]
            for violation in row.violations {
                var message = plainMessage(content)
                violation(&message)
                let broken = message
                let hint = "the rule: \(row.rule ?? "")"
                try await world.expectRefusal("the value", as: kinds, hint: hint) { () async throws(PushError) in
                    try await world.client.send(broken, to: world.audience)
                }
                try await world.expectRefusal("the value in the adapter's own call", as: kinds, hint: hint) {
                    () async throws(PushError) in
                    guard let sample = try world.sample(of: .send, message: broken) else { return }
                    try await world.client.run(sample.exchange)
                }
            }
        }
    }

    private static func plainMessage(_ content: Feature) -> Message {
        if content == .contentCustom { return Message(custom: CustomMessage(content: "data")) }
        return Message(
            notification: Notification(
                body: "Hello", ios: IOSNotification(), android: AndroidNotification(), harmony: HarmonyNotification()))
    }

    private static let both = ConformanceCheck(
        .encoding, "field.custom", "A custom message beside a notification changes the request or is refused.",
        needs: [.send, .contentNotification, .contentCustom], isSafeLive: true
    ) { world in
        let plain = plainMessage(.contentNotification)
        var varied = plain
        varied.custom = CustomMessage(content: "data")
        let after: ErasedExchange?
        do throws(PushError) {
            after = try world.sample(of: .send, message: varied)
        } catch {
            return try expectEqual(error.kind, .unsupported, "the kind", hint: "\(error)")
        }
        try expect(
            after?.request != (try world.sample(of: .send, message: plain))?.request, "another request, or a refusal",
            actual: "the same request", hint: "refuse what the vendor cannot express; never drop it")
    }

    private static let own = ConformanceCheck(
        .encoding, "field.options", "The vendor's own options are part of the request.", isSafeLive: true,
        when: { $0.has(.send) && $0.has(.contentNotification) && $0.harness.samples.options != nil },
        supported: { world in
            guard let options = world.harness.samples.options else { return }
            let plain = Message(notification: Notification(body: "Hello"))
            let before = try world.sample(of: .send, message: plain)
            let after = try world.sample(
                of: .send, message: try world.message(with: options, for: world.provider.id))
            try expect(
                after?.request != before?.request, "another request", actual: "the same",
                hint: "never drop options")
        },
        refused: { world in
            guard try await !world.expectRefusal(ofFirstMissing: [.send, .contentNotification]) else { return }
            let message = try world.message(with: ["any": 1], for: world.provider.id)
            try await world.expectRefusal(
                "an option", as: [.invalidArgument, .unsupported], hint: "the harness's samples have none"
            ) { () async throws(PushError) in try await world.client.send(message, to: world.audience) }
        })
}

extension MessageField {
    var isOfCustom: Bool { rawValue.hasPrefix("custom.") }

    /// The field whose form or part it is: the place of a localized text, or the class of a template; nil for any other
    /// field.
    fileprivate var whole: MessageField? {
        if self == .template { return .messageClass }
        let form = ".localized"
        return rawValue.hasSuffix(form) ? MessageField(String(rawValue.dropLast(form.count))) : nil
    }

    /// Whether it says how a message is delivered, with any content.
    fileprivate var isOfDelivery: Bool {
        [.platforms, .timeToLive, .deliveryPriority, .environment].contains(self)
    }
}

extension World {
    /// Whether the message's value of the field concerns any device of the app.
    func isMeant(_ field: MessageField, by message: Message) -> Bool {
        guard let platforms = provider.capabilities.platforms else { return true }
        // A message for the app's only platform equals one for all.
        if field == .platforms { return message.platforms != platforms }
        // On Apple's devices, a message that shows nothing always has normal priority.
        if field == .deliveryPriority, message.custom != nil { return platforms != [.ios] }
        return field.platform.map(platforms.contains) ?? true
    }
}
