import FoundationEssentials
import PushAdapter
import PushSimulation

/// A name of a device.
struct Target: Sendable {
    let name: String
    let isAlias: Bool
}

/// The targets of a call.
enum Audience: Sendable {
    case one(Target)
    case several([Target])
    case tags(TagExpression)
    case everyone

    /// The one target of a call; `regId` wins.
    init(one fields: Fields) throws(Refusal) {
        if let id = try fields.text("regId"), !id.isEmpty {
            self = .one(Target(name: id, isAlias: false))
        } else if let alias = try fields.text("alias"), !alias.isEmpty {
            guard alias.count <= 40 else { throw .alias }
            self = .one(Target(name: alias, isAlias: true))
        } else {
            throw .noTarget
        }
    }

    /// The 2 to 1,000 targets of a list; `regIds` win.
    static func list(_ fields: Fields) throws(Refusal) -> [Target] {
        let (ids, aliases) = (try fields.texts("regIds") ?? [], try fields.texts("aliases") ?? [])
        let targets = (ids.isEmpty ? aliases : ids).map { Target(name: $0, isAlias: ids.isEmpty) }
        guard !targets.isEmpty else { throw .noTargets }
        guard targets.count >= 2 else { throw .tooFewTargets }
        guard targets.count <= 1000 else { throw .tooManyTargets }
        return targets
    }
}

/// A condition on tags: any of the first, all of the second, none of the third.
struct TagExpression: Sendable {
    let any: [String]
    let all: [String]
    let none: [String]

    /// Refuses an expression that only excludes.
    init(_ fields: Fields?) throws(Refusal) {
        any = try fields?.texts("orTags") ?? []
        all = try fields?.texts("andTags") ?? []
        none = try fields?.texts("notTags") ?? []
        guard !any.isEmpty || !all.isEmpty else { throw .tag }
    }

    var names: [String] { any + all + none }

    /// Whether a device with these tags is a target.
    func matches(_ tags: Set<String>) -> Bool {
        (any.isEmpty || any.contains(where: tags.contains)) && all.allSatisfy(tags.contains)
            && !none.contains(where: tags.contains)
    }
}

/// A message on its way.
struct Push: Sendable {
    let task: String
    let app: Int
    let message: VivoMessage
    /// The class by which it counts. A system message that is not approved counts as operational.
    let lane: Lane
    /// Nil for a message to several: the older receipts are for one target only.
    var receipts: ReceiptOrder?
    let end: Date
    /// Where an arrival counts.
    var quota: Quota { Quota(lane, isTest: message.isTest) }
    /// The targets that the vendor tried.
    var sent = 0
    /// The devices on which it was tapped.
    var taps: Set<String> = []
}

/// The vendor's record of a device.
struct DeviceRecord: Sendable {
    /// The app.
    var owner: Int
    var alias: String?
    var isGone = false
    var isPushOff = false
    /// Why the device did not show a message, by task: the code of the newer receipts.
    var reasons: [String: NoShow] = [:]
}

/// Why a phone did not show a message that was accepted, by the codes of the newer receipts.
enum NoShow: Int {
    case atNight = 1017
    case sameText = 2124
    case expired = 2144
    case volume = 11_001
    case deviceLimit = 12_000
    case notSubscribed = 20_001
    case unknown = 20_002
    case inactive = 20_006
}
