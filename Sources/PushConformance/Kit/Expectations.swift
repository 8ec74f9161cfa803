package import PushAdapter
import PushClient
import PushSimulation

/// Throws a failure if the condition does not hold.
package func expect(
    _ holds: Bool, _ expected: @autoclosure () -> String, actual: @autoclosure () -> String = "it does not hold",
    hint: String
) throws(ConformanceFailure) {
    guard !holds else { return }
    throw ConformanceFailure(expected: expected(), actual: actual(), hint: hint)
}

package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ what: String, hint: String
) throws(ConformanceFailure) {
    guard actual != expected else { return }
    throw ConformanceFailure(expected: "\(what) to be \(shown(expected))", actual: shown(actual), hint: hint)
}

/// A value for people: optionals unwrapped, sets in order.
private func shown(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { shown($0.value) }
    if let text = value as? String { return Redaction.quoted(text) }
    return switch mirror.displayStyle {
    case .optional: parts.first ?? "nothing"
    case .set: "[" + parts.sorted().joined(separator: ", ") + "]"
    case .collection: "[" + parts.joined(separator: ", ") + "]"
    default: "\(value)"
    }
}

/// Returns the error of a call that must fail.
package func expectError<Output>(
    _ what: String, hint: String, _ call: () async throws(PushError) -> Output
) async throws(ConformanceFailure) -> PushError {
    do throws(PushError) {
        _ = try await call()
    } catch {
        return error
    }
    throw ConformanceFailure(expected: "\(what) to fail", actual: "success", hint: hint)
}

extension World {
    /// Expects a missing feature to fail as `unsupported`, with a reason and without a request.
    func expectRefusal(of feature: Feature) async throws {
        let reason =
            switch client.capabilities[feature] {
            case .native: ""
            case .emulated(let recipe): recipe.caveat
            case .unsupported(let reason): reason
            }
        try expect(
            !reason.isEmpty, "a reason why \(feature) is unsupported", actual: "none",
            hint: "say in the capabilities what to use instead")
        let error = try await expectError("using \(feature)", hint: "the capabilities declare it unsupported") {
            () async throws(PushError) in try await use(feature)
        }
        try expectEqual(error.kind, .unsupported, "the kind", hint: "\(error)")
        try expectEqual(error.effect, .notApplied, "the effect", hint: "a refusal before sending has no effect")
        try expect(error.operation != nil, "an error that names its operation", hint: "\(error)")
        try expectNothingSent()
    }

    /// Expects a refusal of the first missing feature.
    /// - Returns: whether a feature was missing.
    func expectRefusal(ofFirstMissing features: [Feature]) async throws -> Bool {
        guard let missing = features.first(where: { !has($0) }) else { return false }
        try await expectRefusal(of: missing)
        return true
    }

    /// Expects a call to be refused before anything is sent.
    func expectRefusal<Output>(
        _ what: String, as kinds: [PushError.Kind], hint: String, _ call: () async throws(PushError) -> Output
    ) async throws {
        let before = tap.count
        let error = try await expectError(what, hint: hint, call)
        try expect(
            kinds.contains(error.kind), "\(what) refused as \(kinds.map(\.rawValue).joined(separator: " or "))",
            actual: "\(error)", hint: hint)
        try expectEqual(error.effect, .notApplied, "the effect of \(what)", hint: hint)
        try expectEqual(tap.count, before, "the requests", hint: hint)
    }

    /// Sends a message that some vendors cannot carry; a failure must be a refusal before sending.
    /// - Returns: whether it was sent.
    func sendOrRefuse(
        _ message: Message, to audience: Audience, refusedAs kinds: [PushError.Kind] = [.unsupported]
    ) async throws -> Bool {
        let before = tap.count
        do throws(PushError) {
            _ = try await client.send(message, to: audience)
            return true
        } catch {
            try expect(
                kinds.contains(error.kind),
                "success, or a refusal as \(kinds.map(\.rawValue).joined(separator: " or "))", actual: "\(error)",
                hint: "refuse what the vendor cannot carry as unsupported")
            try expectEqual(tap.count, before, "the requests", hint: "refuse it before anything is sent")
            return false
        }
    }

    func expectNothingSent() throws(ConformanceFailure) {
        try expectEqual(tap.count, 0, "the requests", hint: "refuse it before anything is sent")
        try expectEqual(host.journal.count, 0, "the requests that reached the vendor", hint: "refuse it before sending")
    }
}
