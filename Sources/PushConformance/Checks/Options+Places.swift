import PushAdapter
import PushClient

extension ConformanceCheck {
    /// Where the vendor's own options stand on the wire, from `Capabilities.optionPlaces` and the harness's samples.
    static let optionPlaces = ConformanceCheck(
        .encoding, "options.places", "An option stands in its declared place, and nothing else depends on it.",
        needs: [.send, .contentNotification], isSafeLive: true
    ) { world in
        guard let places = world.provider.capabilities.optionPlaces else { return }
        var missing = try placedOptions(of: places)
        for (message, audience) in try world.optionSamples() {
            let sample = PlacedSample(message: message, audience: audience, places: places, world: world)
            try sample.expectPlaces()
            missing = missing.filter { path in !sample.options.contains { $0.starts(with: path) } }
        }
        try expectEqual(
            missing.map { $0.joined(separator: ".") }.sorted(), [], "the options without a sample",
            hint: "add them to optionMessages of the harness")
    }

    /// The paths of all options that have places.
    private static func placedOptions(of places: OptionPlaces) throws -> Set<[String]> {
        let paths = try codingPaths(of: places.options).map { $0.split(separator: ".").map(String.init) }
        let whole = paths.map { path in
            (1...path.count).map { Array(path.prefix($0)) }.first(where: places.isWhole) ?? path
        }
        return Set(whole).filter { path in
            places.place(of: path) != nil
                && !whole.contains { $0.count > path.count && $0.starts(with: path) }
        }
    }
}

/// A message whose options are looked for in the body of its send.
private struct PlacedSample {
    let message: Message
    let audience: Audience
    let places: OptionPlaces
    let world: World

    private var vendor: ProviderID { world.provider.id }
    /// The paths of all options that the message sets, down to the last object.
    var options: [[String]] { Self.leaves(of: message.options[vendor] ?? .null, isLeaf: places.isWhole) }

    func expectPlaces() throws {
        let request = try request(of: message)
        let body = try Self.body(of: request)
        var tried: Set<Set<[String]>> = []
        for option in options {
            guard let place = places.place(of: option) else { continue }
            try expectEqual(
                body.value(at: place), message.options[vendor]?.value(at: option), name(place),
                hint: "the option \(name(option)) stands there")
            guard let (removed, without) = remove(option), tried.insert(removed).inserted else { continue }
            // An option in a form of its own may stand anywhere.
            let expected = removed.map { places.place(of: $0) }
            guard !expected.contains(nil) else { continue }
            try expectDifference(in: expected.compactMap { $0 }, body, Self.body(of: without))
            try expect(
                without.with(.none) == request.with(.none), "the same address and header fields",
                actual: "other ones without \(name(option))", hint: "an option with a place has no other effect")
        }
    }

    /// Expects two bodies to differ in these places, and nowhere else.
    private func expectDifference(in places: [[String]], _ body: JSONValue, _ without: JSONValue) throws {
        for place in places {
            try expect(
                body.value(at: place) != without.value(at: place), "\(name(place)) to come from the option",
                actual: "the same without it", hint: "write the option as it is")
        }
        let paths = Set(Self.leaves(of: body) + Self.leaves(of: without))
        let others = paths.filter { path in
            body.value(at: path) != without.value(at: path)
                // An object of options may stand in for a text of the message.
                && !places.contains { path.starts(with: $0) || $0.starts(with: path) }
        }
        try expectEqual(
            others.map(name).sorted(), [], "what else depends on the options at \(places.map(name).sorted())",
            hint: "an option with a place is copied, and has no other effect")
    }

    /// The request without an option, and without those that need it; nil if the message cannot be without it.
    private func remove(_ option: [String]) -> (removed: Set<[String]>, request: WireRequest)? {
        var (copy, wider) = (message.removing(option, of: vendor), option)
        while true {
            let broken = world.provider.capabilities.optionRules.filter { $0.isBroken(by: copy, of: vendor) }
            for rule in broken { copy = copy.removing(rule.path.split(separator: ".").map(String.init), of: vendor) }
            guard broken.isEmpty else { continue }
            if let request = try? request(of: copy) {
                let rest = Self.leaves(of: copy.options[vendor] ?? .null, isLeaf: places.isWhole)
                return (Set(options).subtracting(rest), request)
            }
            // A part that its object cannot be without.
            wider.removeLast()
            guard !wider.isEmpty else { return nil }
            copy = copy.removing(wider, of: vendor)
        }
    }

    private func request(of message: Message) throws -> WireRequest {
        guard let sample = try world.sample(of: .send, message: message, audience: audience) else {
            throw ConformanceFailure(expected: "a call that sends", actual: "none", hint: "declare roles.send")
        }
        return sample.request
    }

    private static func body(of request: WireRequest) throws -> JSONValue {
        guard case .bytes(let bytes, _) = request.body else { return .null }
        return try JSONValue(parsing: bytes)
    }

    private func name(_ path: [String]) -> String { path.joined(separator: ".") }

    /// The paths of all values that are no objects with fields.
    private static func leaves(
        of value: JSONValue, at path: [String] = [], isLeaf: ([String]) -> Bool = { _ in false }
    ) -> [[String]] {
        guard case .object(let fields) = value, !isLeaf(path) else { return [path] }
        return fields.sorted { $0.key < $1.key }.flatMap { leaves(of: $1, at: path + [$0], isLeaf: isLeaf) }
    }
}

extension WireRequest {
    /// A copy with another body.
    fileprivate func with(_ body: WireBody) -> WireRequest {
        var copy = self
        copy.body = body
        return copy
    }
}
