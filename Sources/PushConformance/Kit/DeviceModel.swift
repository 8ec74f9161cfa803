import PushAdapter
import PushClient
import PushSimulation

/// The tags, alias, accounts and attributes that a device should have at any vendor.
struct DeviceModel: Equatable {
    private(set) var tags: Set<Tag> = []
    private(set) var alias: Alias?
    private(set) var accounts: Set<Account> = []
    private(set) var attributes: [String: String] = [:]

    mutating func apply(_ step: DeviceOperation) {
        switch step {
        case .updateTags(let change): tags = change.applied(to: tags)
        case .setAlias(let new): alias = new
        case .removeAlias: alias = nil
        case .updateAccounts(let change): accounts = change.applied(to: accounts)
        case .updateAttributes(.add(let new)): attributes.merge(new) { _, new in new }
        case .updateAttributes(.remove(let names)): for name in names { attributes[name] = nil }
        case .updateAttributes(.replace(let all)): attributes = all
        case .updateAttributes(.clear): attributes = [:]
        default: break
        }
    }
}

extension DeviceModel {
    /// Runs the steps on a new device; returns nil if adapter, vendor and model agree after each.
    static func run(_ steps: [DeviceOperation], on device: DeviceID, in world: World) async throws
        -> ConformanceFailure?
    {
        var model = DeviceModel()
        for step in steps {
            model.apply(step)
            let answer: String?
            do throws(PushError) {
                answer = try await perform(step, on: device, in: world)
            } catch {
                return ConformanceFailure(expected: "\(model)", actual: "\(error)", hint: "in \(step.text)")
            }
            let snapshot = try await world.snapshot(device)
            let actual = DeviceModel(
                tags: Set(snapshot.tags.map { Tag($0) }), alias: snapshot.alias.map { Alias($0) },
                accounts: snapshot.accounts, attributes: snapshot.attributes)
            guard actual == model else {
                return ConformanceFailure(
                    expected: "\(model)", actual: "\(actual) at the vendor", hint: "after \(step.text)")
            }
            guard answer == nil || answer == model.answer(to: step) else {
                return ConformanceFailure(
                    expected: "the result \(model.answer(to: step))", actual: "\(answer ?? "")", hint: "in \(step.text)"
                )
            }
        }
        return nil
    }

    /// The adapter's answer as text; nil for a step without a result.
    private static func perform(
        _ step: DeviceOperation, on device: DeviceID, in world: World
    ) async throws(PushError) -> String? {
        switch try await world.client.perform(step, of: device) {
        case .tags(let tags): text(tags)
        case .alias(let alias): alias?.rawValue ?? "none"
        case .hasTag(let hasTag): "\(hasTag)"
        // Some vendors do not report the types.
        case .accounts(let accounts): text(Set(accounts.map { Account(name: $0.name) }))
        case .attributes(let attributes): text(attributes)
        case .done, .tagUpdate, .accountUpdate, .attributeUpdate, .phone: nil
        }
    }

    private func answer(to step: DeviceOperation) -> String {
        switch step {
        case .readTags: Self.text(tags)
        case .readAlias: alias?.rawValue ?? "none"
        case .testTag(let tag): "\(tags.contains(tag))"
        case .readAccounts: Self.text(Set(accounts.map { Account(name: $0.name) }))
        case .readAttributes: Self.text(attributes)
        default: ""
        }
    }

    fileprivate static func text(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: " ") }

    fileprivate static func text(_ accounts: Set<Account>) -> String {
        accounts.map { "\($0.name)(\($0.type.map(String.init) ?? "-"))" }.sorted().joined(separator: " ")
    }

    private static func text(_ attributes: [String: String]) -> String {
        attributes.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    }
}

extension DeviceModel: CustomStringConvertible {
    var description: String {
        "tags [\(DeviceModel.text(tags))], alias \(alias?.rawValue ?? "none"), accounts [\(DeviceModel.text(accounts))], "
            + "attributes [\(DeviceModel.text(attributes))]"
    }
}

extension DeviceOperation {
    /// The operation and its arguments, for a failure message.
    var text: String {
        let words: String? =
            switch self {
            case .updateTags(let change): DeviceModel.text(change.elements)
            case .updateAccounts(let change): DeviceModel.text(change.elements)
            case .updateAttributes(let change): change.names.elements.sorted().joined(separator: " ")
            case .setAlias(let alias): alias.rawValue
            case .testTag(let tag): tag.rawValue
            default: nil
            }
        return [feature.rawValue, words].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The features that an adapter supports; empty if none of them changes anything.
    static func possible(in world: World) -> [Feature] {
        let first: [Feature] = [.addTags, .setAlias, .addAccounts, .addAttributes]
        guard first.contains(where: world.has) else { return [] }
        let features: [Feature] = [
            .addTags, .removeTags, .replaceTags, .clearTags, .readTags, .testTag, .setAlias, .removeAlias, .readAlias,
            .addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts, .readAccounts, .addAttributes,
            .removeAttributes, .replaceAttributes, .clearAttributes, .readAttributes,
        ]
        return features.filter(world.has)
    }

    /// The same step with fewer tags.
    var simpler: [DeviceOperation] {
        guard case .updateTags(let change) = self, change.elements.count > 1 else { return [] }
        return change.elements.sorted().map { tag in .updateTags(change.map { $0.subtracting([tag]) }) }
    }

    static func random(_ count: Int, in world: World, _ generator: inout SplitMix) -> [DeviceOperation] {
        // Sets that grow and shrink find more errors than sets that stay empty.
        let often: Set<Feature> = [.addTags, .removeTags]
        let features = possible(in: world).flatMap { Array(repeating: $0, count: often.contains($0) ? 5 : 1) }
        let pool = world.tags(world.tagCount(6))
        return (0..<count).map { _ in
            let tags = Set(pool.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
            let alias = Bool.random(using: &generator) ? world.alias : world.otherAlias
            let accounts = Set(
                world.accounts.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
            let attributes = world.attributes(3).filter { _ in Bool.random(using: &generator) }
                .merging(world.attributes(1)) { $1 }
                .mapValues { "\($0) \(Int.random(in: 1...3, using: &generator))" }
            return switch features.randomElement(using: &generator) ?? .readTags {
            case .addTags: .updateTags(.add(tags))
            case .removeTags: .updateTags(.remove(tags))
            case .replaceTags: .updateTags(.replace(tags))
            case .readTags: .readTags
            case .testTag: .testTag(pool.randomElement(using: &generator) ?? pool[0])
            case .setAlias: .setAlias(alias)
            case .removeAlias: .removeAlias
            case .readAlias: .readAlias
            case .addAccounts: .updateAccounts(.add(accounts))
            case .removeAccounts: .updateAccounts(.remove(accounts))
            case .replaceAccounts: .updateAccounts(.replace(accounts))
            case .clearAccounts: .updateAccounts(.clear)
            case .readAccounts: .readAccounts
            case .addAttributes: .updateAttributes(.add(attributes))
            case .removeAttributes: .updateAttributes(.remove(Set(attributes.keys)))
            case .replaceAttributes: .updateAttributes(.replace(attributes))
            case .clearAttributes: .updateAttributes(.clear)
            case .readAttributes: .readAttributes
            default: .updateTags(.clear)
            }
        }
    }
}
