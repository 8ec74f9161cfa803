import PushClient
import PushCore
import PushSimulation

/// What the tags, the alias, the accounts and the attributes of a device are, without any vendor.
struct DeviceModel: Equatable {
    private(set) var tags: Set<Tag> = []
    private(set) var alias: Alias?
    private(set) var accounts: Set<Account> = []
    private(set) var attributes: [String: String] = [:]

    /// One call on the device.
    enum Step: Sendable, Hashable, CustomStringConvertible {
        case change(TagUpdate)
        case setAlias(Alias?)
        case changeAccounts(AccountUpdate)
        case changeAttributes(AttributeUpdate)
        case readAccounts
        case readAttributes
        case readTags
        case readAlias
        case testTag(Tag)

        var description: String {
            func list(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: " ") }
            return switch self {
            case .change(let change) where change.tags.isEmpty: change.feature.rawValue
            case .change(let change): "\(change.feature) \(list(change.tags))"
            case .setAlias(let alias?): "alias.set \(alias.rawValue)"
            case .setAlias(nil): "alias.remove"
            case .changeAccounts(let change): "\(change.feature) \(DeviceModel.text(change.accounts))"
            case .changeAttributes(let change): "\(change.feature) \(change.names.sorted().joined(separator: " "))"
            case .readAccounts: "accounts.read"
            case .readAttributes: "attributes.read"
            case .readTags: "tags.read"
            case .readAlias: "alias.read"
            case .testTag(let tag): "tags.test \(tag)"
            }
        }
    }

    mutating func apply(_ step: Step) {
        switch step {
        case .change(.add(let new)): tags.formUnion(new)
        case .change(.remove(let old)): tags.subtract(old)
        case .change(.replace(let all)): tags = all
        case .change(.clear): tags = []
        case .setAlias(let new): alias = new
        case .changeAccounts(.add(let new)): accounts.formUnion(new)
        case .changeAccounts(.remove(let old)): accounts.subtract(old)
        case .changeAccounts(.replace(let all)): accounts = all
        case .changeAccounts(.clear): accounts = []
        case .changeAttributes(.add(let new)): attributes.merge(new) { _, new in new }
        case .changeAttributes(.remove(let names)): for name in names { attributes[name] = nil }
        case .changeAttributes(.replace(let all)): attributes = all
        case .changeAttributes(.clear): attributes = [:]
        case .readTags, .readAlias, .testTag, .readAccounts, .readAttributes: break
        }
    }
}

extension DeviceModel {
    /// Runs the steps on a new device; nil when adapter, vendor and model agree after each.
    static func run(_ steps: [Step], on device: DeviceID, in world: World) async throws -> ConformanceFailure? {
        var model = DeviceModel()
        for step in steps {
            model.apply(step)
            let answer: String?
            do throws(PushError) {
                answer = try await perform(step, on: device, in: world)
            } catch {
                return ConformanceFailure(expected: "\(model)", actual: "\(error)", hint: "to \(step)")
            }
            let snapshot = try await world.snapshot(device)
            let actual = DeviceModel(
                tags: Set(snapshot.tags.map { Tag($0) }), alias: snapshot.alias.map { Alias($0) },
                accounts: snapshot.accounts, attributes: snapshot.attributes)
            guard actual == model else {
                return ConformanceFailure(
                    expected: "\(model)", actual: "\(actual) at the vendor", hint: "after \(step)")
            }
            guard answer == nil || answer == model.answer(to: step) else {
                return ConformanceFailure(
                    expected: "the answer \(model.answer(to: step))", actual: "\(answer ?? "")", hint: "to \(step)")
            }
        }
        return nil
    }

    /// What the adapter says, as a text; nil for a step that has no answer.
    private static func perform(
        _ step: Step, on device: DeviceID, in world: World
    ) async throws(PushError) -> String? {
        let client = world.client
        switch step {
        case .change(let change): _ = try await client.updateTags(change, of: device)
        case .setAlias(let alias?): try await client.setAlias(alias, of: device)
        case .setAlias(nil): try await client.removeAlias(of: device)
        case .changeAccounts(let change): _ = try await client.updateAccounts(change, of: device)
        case .changeAttributes(let change): _ = try await client.updateAttributes(change, of: device)
        case .readAccounts:
            // Not every vendor tells the types.
            return DeviceModel.text(Set(try await client.readAccounts(of: device).map { Account(name: $0.name) }))
        case .readAttributes: return DeviceModel.text(try await client.readAttributes(of: device))
        case .readTags: return DeviceModel.text(try await client.readTags(of: device))
        case .readAlias: return try await client.readAlias(of: device)?.rawValue ?? "none"
        case .testTag(let tag): return "\(try await client.hasTag(tag, device: device))"
        }
        return nil
    }

    private func answer(to step: Step) -> String {
        switch step {
        case .readTags: DeviceModel.text(tags)
        case .readAlias: alias?.rawValue ?? "none"
        case .testTag(let tag): "\(tags.contains(tag))"
        case .readAccounts: DeviceModel.text(Set(accounts.map { Account(name: $0.name) }))
        case .readAttributes: DeviceModel.text(attributes)
        case .change, .setAlias, .changeAccounts, .changeAttributes: ""
        }
    }

    private static func text(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: " ") }

    private static func text(_ accounts: Set<Account>) -> String {
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

extension DeviceModel.Step {
    /// The features of steps that an adapter can do; empty when none of them changes anything.
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
    var simpler: [DeviceModel.Step] {
        guard case .change(let change) = self, change.tags.count > 1 else { return [] }
        return change.tags.sorted().map { tag in
            let fewer = change.tags.subtracting([tag])
            return switch change {
            case .add: .change(.add(fewer))
            case .remove: .change(.remove(fewer))
            case .replace: .change(.replace(fewer))
            case .clear: self
            }
        }
    }

    static func random(_ count: Int, in world: World, _ generator: inout SplitMix) -> [DeviceModel.Step] {
        // Sets that grow and shrink meet more than sets that are always empty.
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
            case .addTags: .change(.add(tags))
            case .removeTags: .change(.remove(tags))
            case .replaceTags: .change(.replace(tags))
            case .readTags: .readTags
            case .testTag: .testTag(pool.randomElement(using: &generator) ?? pool[0])
            case .setAlias: .setAlias(alias)
            case .removeAlias: .setAlias(nil)
            case .readAlias: .readAlias
            case .addAccounts: .changeAccounts(.add(accounts))
            case .removeAccounts: .changeAccounts(.remove(accounts))
            case .replaceAccounts: .changeAccounts(.replace(accounts))
            case .clearAccounts: .changeAccounts(.clear)
            case .readAccounts: .readAccounts
            case .addAttributes: .changeAttributes(.add(attributes))
            case .removeAttributes: .changeAttributes(.remove(Set(attributes.keys)))
            case .replaceAttributes: .changeAttributes(.replace(attributes))
            case .clearAttributes: .changeAttributes(.clear)
            case .readAttributes: .readAttributes
            default: .change(.clear)
            }
        }
    }
}

/// Numbers that are the same for the same seed on every machine.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
