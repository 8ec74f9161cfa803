import PushClient
import PushCore
import PushSimulation

/// What the tags and the alias of a device are, without any vendor.
struct DeviceModel: Equatable {
    private(set) var tags: Set<Tag> = []
    private(set) var alias: Alias?

    /// One call on the device.
    enum Step: Sendable, Hashable, CustomStringConvertible {
        case change(TagUpdate)
        case setAlias(Alias?)
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
        case .readTags, .readAlias, .testTag: break
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
            let actual = DeviceModel(tags: Set(snapshot.tags.map { Tag($0) }), alias: snapshot.alias.map { Alias($0) })
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
        case .change, .setAlias: ""
        }
    }

    private static func text(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: " ") }
}

extension DeviceModel: CustomStringConvertible {
    var description: String { "tags [\(DeviceModel.text(tags))], alias \(alias?.rawValue ?? "none")" }
}

extension DeviceModel.Step {
    /// The features of steps that an adapter can do; empty when none of them changes anything.
    static func possible(in world: World) -> [Feature] {
        guard world.has(.addTags) || world.has(.setAlias) else { return [] }
        let features: [Feature] = [
            .addTags, .removeTags, .replaceTags, .clearTags, .readTags, .testTag, .setAlias, .removeAlias, .readAlias,
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
        let features = possible(in: world)
        let pool = world.tags(world.tagCount(6))
        return (0..<count).map { _ in
            let tags = Set(pool.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
            let alias = Bool.random(using: &generator) ? world.alias : world.otherAlias
            return switch features.randomElement(using: &generator) ?? .readTags {
            case .addTags: .change(.add(tags))
            case .removeTags: .change(.remove(tags))
            case .replaceTags: .change(.replace(tags))
            case .readTags: .readTags
            case .testTag: .testTag(pool.randomElement(using: &generator) ?? pool[0])
            case .setAlias: .setAlias(alias)
            case .removeAlias: .setAlias(nil)
            case .readAlias: .readAlias
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
