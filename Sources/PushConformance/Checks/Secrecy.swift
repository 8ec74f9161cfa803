import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// Secrets and ids that must never appear in text.
    static let secrecy: [ConformanceCheck] = [
        ConformanceCheck(
            .secrecy, "provider", "No description or dump of the adapter contains its secrets."
        ) { world in
            // A dump of the client would also show the simulator behind its transport.
            let client = [String(describing: world.client), String(reflecting: world.client)]
            let texts = Printed.all(world.provider) + Printed.all(world.provider.authorizer) + client
            try world.expectSilent(about: world.secrets, in: texts, "a description of the adapter")
        },
        ConformanceCheck(
            .secrecy, "requests", "No description of a request contains a device, a name, a key or a text.",
            isSafeLive: true
        ) { world in
            let (device, alias): (DeviceID, Alias) = ("planted-device-4711", "planted-alias-4711")
            let key = IdempotencyKey(
                "planted-key-4711", kind: .push, mintedAt: .distantPast, expiresAt: .distantFuture)
            let account = Account(name: "planted-account-4711", type: world.accounts[0].type)
            let plants =
                [device.rawValue, alias.rawValue, account.name, key.value, world.secretText, world.device.rawValue]
                + world.places
            for operation in Roles.operations.keys.sorted() {
                let isKeyed = operation == .send && world.isKeyed
                let planted = try? world.sample(
                    of: operation, device: device, alias: alias, account: account, message: world.planted,
                    key: isKeyed ? key : nil)
                // The adapter may refuse a device that no vendor made.
                guard let sample = planted ?? (try? world.sample(of: operation, message: world.planted)) else {
                    continue
                }
                let texts = Printed.all(sample.request) + [sample.request.route]
                try world.expectSilent(about: plants, in: texts, "the request of \(sample.operation)")
            }
        },
        ConformanceCheck(
            .secrecy, "headers", "Header fields with credentials are marked as sensitive; the address has no secrets.",
            isSafeLive: true
        ) { world in
            for sample in try world.sampleCalls() {
                let fields = try world.provider.authorizer.authorize(
                    sample.request, as: sample.exchange.credential, with: world.token, at: world.clock.date)
                for field in fields where world.holdsSecret(field.value) || field.name == .authorization {
                    try expectEqual(
                        field.indexingStrategy, .disallow, "the indexing of \(field.name)",
                        hint: "header compression stores the others")
                }
                try world.expectSilent(
                    about: world.secrets, in: [try sample.request.target()],
                    "the address of \(sample.operation)")
            }
        },
        ConformanceCheck(
            .secrecy, "credentials", "No request body contains a secret."
        ) { world in
            try world.expectSilent(
                about: world.harness.secrets, in: try world.sampleCalls().map(\.text), "a request's body")
        },
        ConformanceCheck(
            .secrecy, "success", "Nothing written during successful calls contains a secret, a device or a text."
        ) { world in
            var texts: [String] = []
            if world.has(.send) { texts += Printed.all(try await world.client.send(world.planted, to: world.audience)) }
            if world.has(.addTags) {
                texts += Printed.all(
                    try await world.client.updateTags(.add(Set(world.tags(2))), of: world.device).failure as Any)
            }
            if world.has(.setAlias) { try await world.client.setAlias(world.plantedAlias, of: world.device) }
            if world.binds {
                let change: AccountUpdate =
                    world.has(.addAccounts) ? .add([world.accounts[2]]) : .replace([world.accounts[2]])
                texts += Printed.all(try await world.client.updateAccounts(change, of: world.device))
            }
            if world.has(.addAttributes) {
                texts += Printed.all(
                    try await world.client.updateAttributes(.add(world.attributes(3)), of: world.device))
            }
            if let readable = world.readable { try await world.client.run(readable.exchange) }
            try world.expectSilent(about: world.plants, in: texts + [world.observer.transcript()], "what was written")
        },
        ConformanceCheck(
            .secrecy, "refusals", "No refusal before sending contains a secret, a device or a text."
        ) { world in
            var texts: [String] = []
            for call in [Feature.addTags, .setAlias, .send] where world.has(call) {
                do throws(PushError) {
                    switch call {
                    case .addTags: _ = try await world.client.updateTags(.add([]), of: world.device)
                    case .setAlias: try await world.client.setAlias(Alias(" \(world.plantedAlias)"), of: world.device)
                    default:
                        _ = try await world.client.send(world.planted, to: .devices(["a b", "planted device 4711"]))
                    }
                } catch {
                    texts += Printed.all(error)
                }
            }
            // The adapter's own refusals of the message.
            texts += world.client.explain(world.planted, to: world.audience).refusals.flatMap { Printed.all($0) }
            try world.expectSilent(about: world.plants, in: texts + [world.observer.transcript()], "a refusal")
        },
        ConformanceCheck(
            .secrecy, "vendorErrors", "A vendor's error that quotes a device is shown without the device.",
            needs: [.send, .audienceDevices]
        ) { world in
            let sending = try world.required(.send)
            var error = try world.lastingError(for: .send)
            let target = ([world.device.rawValue] + world.places).joined(separator: " at ")
            error.message = "The target \(target) is refused, body was \(world.secretText)"
            world.host.faults.add(.answer(world.answer(error)), path: try world.path(of: sending))
            let failure = try await expectError("the send", hint: "the vendor refuses it") {
                () async throws(PushError) in
                try await world.client.send(world.planted, to: .devices([world.device]))
            }
            let texts = Printed.all(failure) + Printed.all(failure.vendor as Any) + [failure.vendor?.message ?? ""]
            try world.expectSilent(about: world.plants, in: texts + [world.observer.transcript()], "the error")
        },
        ConformanceCheck(
            .secrecy, "pages", "A page that quotes the request is not copied into the error."
        ) { world in
            let page = "<html>\(world.plants.joined(separator: " "))</html>"
            try await world.expectSilence(about: page, status: 502)
        },
        ConformanceCheck(
            .secrecy, "malformed", "An unreadable response is not copied into the error."
        ) { world in
            try await world.expectSilence(about: #"{"\#(world.device.rawValue)": \#(world.secretText)"#, status: 200)
        },
        ConformanceCheck(
            .secrecy, "explain", "An explanation's description contains no secret.", needs: [.send]
        ) { world in
            let explanation = world.client.explain(world.planted, to: world.audience)
            var texts = explanation.steps.flatMap { Printed.all($0.request) + [$0.url, $0.note ?? ""] }
            texts += explanation.refusals.flatMap { Printed.all($0) }
            try world.expectSilent(
                about: world.secrets + world.places + [world.secretText], in: texts, "the explanation")
            // A body as text shows the message, but no secret.
            let bodies = explanation.steps.compactMap(\.body)
            try world.expectSilent(
                about: world.secrets, in: bodies + bodies.compactMap { PercentEncoding.decode($0) },
                "a body as text")
        },
    ]
}

/// Every way to turn a value into text.
enum Printed {
    static func all(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), dumped]
    }
}

extension World {
    /// A text that appears nowhere else.
    var secretText: String { "planted-text-4711-for-one-person" }
    /// The third alias, which no check prints.
    var plantedAlias: Alias { aliases[2] }

    /// A message with the planted text as its body and its content.
    var planted: Message {
        var message = message
        if message.notification != nil { message.notification?.body = .plain(secretText) }
        if message.custom != nil { message.custom?.content = secretText }
        return message
    }

    /// All secrets, also those that requests contain.
    var secrets: [String] {
        harness.secrets + provider.sentSecrets.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    }

    /// The texts that must not appear.
    var plants: [String] {
        secrets + [device.rawValue, plantedAlias.rawValue, accounts[2].name, secretText]
            + attributes(3).values + places
    }

    /// Path and query of the address that the first device brings with it, if it does; they are a secret.
    fileprivate var places: [String] {
        let address = (try? sample(of: .send, device: device))?.request.address
        return address.map { [$0.pathAndQuery] } ?? []
    }

    /// Expects that neither a read nor a send copies a response into its error.
    fileprivate func expectSilence(about answer: String, status: Int) async throws {
        for sample in [readable, try sample(of: .send)].compactMap({ $0 }) {
            let fault = SimulatedResponse(status: status, body: Array(answer.utf8))
            host.faults.add(.answer(fault), times: 9, path: try path(of: sample))
            let failure = try await expectError("\(sample.operation)", hint: "the response is not the vendor's") {
                () async throws(PushError) in try await client.run(sample.exchange)
            }
            try expectSilent(about: plants, in: Printed.all(failure) + [observer.transcript()], "the error")
            host.faults.removeAll()
        }
    }

    func holdsSecret(_ text: String) -> Bool { harness.secrets.contains { text.contains($0) } }

    func expectSilent(about plants: [String], in texts: [String], _ what: String) throws(ConformanceFailure) {
        for (number, plant) in plants.enumerated() {
            // The failure itself must not reveal the secret.
            try expect(
                !texts.contains { $0.contains(plant) }, "\(what) without the planted values",
                actual: "value \(number + 1) of \(plants.count) (\(plant.utf8.count) bytes) is in it",
                hint: "print counts and shortened ids; mask the vendor's messages")
        }
    }
}
