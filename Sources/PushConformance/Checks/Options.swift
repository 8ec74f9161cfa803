import PushAdapter
import PushClient

extension ConformanceCheck {
    /// The rules of the vendor's own options, from `Capabilities.optionRules` and the harness's samples.
    static let options: [ConformanceCheck] = [
        optionPlaces,
        ConformanceCheck(
            .refusal, "options.rules",
            "An option that breaks a rule is refused by name, and one at a rule's edge passes.",
            needs: [.send, .contentNotification]
        ) { world in
            let samples = try world.optionSamples()
            for sample in samples { try world.expectAccepted(sample, "a sample of options") }
            for rule in world.provider.capabilities.optionRules { try await world.expect(rule, among: samples) }
        },
    ]
}

extension World {
    typealias OptionSample = (message: Message, audience: Audience)

    func optionSamples() throws -> [OptionSample] {
        try harness.samples.optionMessages.map { message, audience in
            let body = JSONWriter.bytes(of: message)
            return (try WireResponse(status: 200, body: body).json(Message.self), audience ?? self.audience)
        }
    }

    fileprivate func expectAccepted(_ sample: OptionSample, _ what: String) throws {
        let refusals = client.explain(sample.message, to: sample.audience).refusals
        try PushConformance.expect(
            refusals.isEmpty, "\(what) to be accepted", actual: "\(refusals)",
            hint: "the samples are optionMessages of the harness")
    }

    /// Breaks a rule in every way, and tries the values at its edges.
    fileprivate func expect(_ rule: OptionRule, among samples: [OptionSample]) async throws {
        let vendor = provider.id
        guard let sample = samples.first(where: { rule.applies(to: $0.message, of: vendor) }) else {
            throw ConformanceFailure(
                expected: "a sample for the rule: \(rule.path) \(rule.summary)", actual: "none",
                hint: "add one to optionMessages of the harness")
        }
        let rules = provider.capabilities.optionRules
        for broken in rule.broken(from: sample.message, of: vendor, samples: samples.map(\.message)) {
            let hint = "\(rule.path): \(rule.summary)"
            try PushConformance.expect(
                rule.isBroken(by: broken, of: vendor), "a message that breaks the rule", hint: hint)
            try await expectRefusal("the option", as: [.invalidArgument], hint: hint) { () async throws(PushError) in
                do throws(PushError) {
                    _ = try await client.send(broken, to: sample.audience)
                } catch {
                    // Another rule may come first.
                    guard
                        rules.contains(where: { $0.isBroken(by: broken, of: vendor) && error.message.contains($0.path) }
                        )
                    else { throw PushError(.unknown, "the error does not name the option: \(error.message)") }
                    throw error
                }
            }
        }
        for kept in rule.kept(from: sample.message, of: vendor)
        where !rules.contains(where: { $0.isBroken(by: kept, of: vendor) }) {
            try expectAccepted((kept, sample.audience), "\(rule.path) at an edge of \(rule.summary)")
        }
    }
}
