import PushAdapter
import PushSimulation

/// A call to the vendor's API.
enum Call: Equatable {
    case push
    case validate
    case batch(isAlias: Bool)
    case groupPush
    case recall(String)
    case plan
    case plans
    case removePlans([String], isBatch: Bool)
    case device(String)
    case deviceStatus
    case tokens
    case tags
    case tag(String)
    case tagCounts
    case tagQuota
    case membership(tag: String, device: String)
    case alias(String)
    case paidStatus
    case statistics
    case fates
    case batchFates
    case planStatistics
    case planMessages
    case users
    case schedules
    case schedule(String)
    case scheduledMessages(String)
    case voices
    case voice(String)
    case oppoImage

    /// The allowed methods of a call. For other methods, the vendor documents a code for pushes only.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .push, .validate, .batch, .groupPush, .plan, .deviceStatus, .tokens, .oppoImage: [.post]
        case .recall, .removePlans: [.delete]
        case .device: [.get, .post, .delete]
        case .tag: [.post, .delete]
        case .alias, .voice: [.get, .delete]
        case .schedules: [.get, .post]
        case .schedule: [.get, .put, .delete]
        case .voices: [.get, .post, .delete]
        case .plans, .tags, .tagCounts, .tagQuota, .membership, .paidStatus, .statistics, .fates, .batchFates,
            .planStatistics, .planMessages, .users, .scheduledMessages:
            [.get]
        }
    }

    /// Nil for a path that the vendor does not have.
    init?(_ request: SimulatedRequest) {
        guard let segments = request.segments, segments.first == "v4" else { return nil }
        let path = Array(segments.dropFirst())
        let call: Call? =
            switch path.first {
            case "push", "batch", "grouppush", "push_plan": Self.pushing(path)
            case "devices", "tags", "tags_count", "aliases": Self.device(path)
            case "status": Self.status(path)
            case "schedules": Self.schedule(path)
            case "app" where path == ["app", "vip", "status"]: .paidStatus
            case "voices" where path.count == 1: .voices
            case "voices" where path.count == 2: .voice(path[1])
            case "image" where path == ["image", "oppo"]: .oppoImage
            default: nil
            }
        guard let call else { return nil }
        self = call
    }

    private static func pushing(_ path: [String]) -> Call? {
        switch path {
        case ["push"]: .push
        case ["push", "validate"]: .validate
        case ["batch", "push", "regid"]: .batch(isAlias: false)
        case ["batch", "push", "alias"]: .batch(isAlias: true)
        case ["grouppush"]: .groupPush
        case ["push_plan"]: .plan
        case ["push_plan", "list"]: .plans
        default:
            if path.count == 3, path.starts(with: ["push", "withdraw"]) {
                .recall(path[2])
            } else if path.count == 3, path.starts(with: ["push_plan", "batch"]) {
                .removePlans(path[2].split(separator: ",").map(String.init), isBatch: true)
            } else if path.count == 2, path[0] == "push_plan" {
                .removePlans([path[1]], isBatch: false)
            } else {
                nil
            }
        }
    }

    private static func device(_ path: [String]) -> Call? {
        switch (path[0], path.count) {
        case ("devices", 2) where path[1] == "status": .deviceStatus
        case ("devices", 3) where path[1] == "token" && path[2] == "registration_id": .tokens
        case ("devices", 2): .device(path[1])
        case ("tags_count", 1): .tagCounts
        case ("tags", 1): .tags
        case ("tags", 2) where path[1] == "quota-info": .tagQuota
        case ("tags", 2): .tag(path[1])
        case ("tags", 4) where path[2] == "registration_ids": .membership(tag: path[1], device: path[3])
        case ("aliases", 2): .alias(path[1])
        default: nil
        }
    }

    private static func status(_ path: [String]) -> Call? {
        switch path {
        case ["status", "detail"]: .statistics
        case ["status", "message"]: .fates
        case ["status", "batch", "message"]: .batchFates
        case ["status", "plan", "detail"]: .planStatistics
        case ["status", "plan", "msg"]: .planMessages
        case ["status", "users"]: .users
        default: nil
        }
    }

    private static func schedule(_ path: [String]) -> Call? {
        switch path.count {
        case 1: .schedules
        case 2: .schedule(path[1])
        case 3 where path[2] == "msg-ids": .scheduledMessages(path[1])
        default: nil
        }
    }
}
