import PushAdapter
import PushSimulation

/// The families of the API. Each has its own codes for credentials and its own quota.
enum Family: String, CaseIterable {
    case push = "Push API"
    case device = "Device API"
    case report = "Report API"
    case schedule = "Schedule API"
    case files = "File API"
    /// Pushes to a group. The group signs them.
    case group = "Group Push API"
    case groupReport = "Group Report API"

    var isGroup: Bool { self == .group || self == .groupReport }

    var unauthenticated: Refusal {
        switch self {
        case .push, .files, .group: Refusal(401, 1004, "Authen failed")
        case .device: Refusal(401, 7001, "authentication information is empty")
        case .report, .groupReport: Refusal(401, 3001, "Basic authentication failed")
        case .schedule: Refusal(401, 8101, "authentication failed")
        }
    }

    var wrongCredentials: Refusal {
        if case .device = self { return Refusal(401, 7004, "authentication failed") }
        return unauthenticated
    }

    /// The response to an unknown path or a wrong method, if the vendor documents one.
    var unknownPath: Refusal? { self == .device ? .unknownPath : nil }
}

/// A call to the vendor's API.
enum Call: Equatable {
    case push
    case validate
    case keys
    case pushFile
    case batch(alias: Bool)
    case recall(String)
    case quota
    case template(isScheduled: Bool)
    case plan(String)
    case groupPush
    case images(String, String?)
    case upload(String)
    case files
    case file(String)
    case device(String)
    case status
    case alias(String)
    case tags
    case tag(String)
    case membership(tag: String, device: String)
    case testDevice(String, String?)
    case schedules
    case schedule(String)
    case scheduledMessages(String)
    case received(isDetail: Bool)
    case receipts
    case statistics(isDetail: Bool)
    case users
    /// A path that the family's host does not have.
    case unknown

    var methods: [HTTPRequest.Method] {
        switch self {
        case .push, .validate, .pushFile, .batch, .template, .groupPush, .upload, .status, .receipts: [.post]
        case .keys, .quota, .files, .tags, .membership, .scheduledMessages, .received, .statistics, .users: [.get]
        case .recall: [.delete]
        case .file: [.get, .delete]
        case .device: [.get, .post]
        case .alias: [.get, .post, .delete]
        case .tag: [.post, .delete]
        case .schedules: [.get, .post]
        case .schedule: [.get, .put, .delete]
        case .images(_, let id): id == nil ? [.post] : [.put]
        case .plan(let word): word == "create" ? [.post] : word == "update" ? [.put] : [.get]
        case .testDevice(let word, _):
            ["add": [.post], "update": [.put], "delete": [.delete]][word, default: [.get]]
        case .unknown: []
        }
    }
}

/// One of the vendor's paths, in either data center's form.
struct Route {
    var family: Family
    var call: Call

    /// Nil for a path that none of the vendor's hosts has.
    init?(_ request: SimulatedRequest) {
        guard let segments = request.segments, segments.first == "v3" else { return nil }
        let rest = Array(segments.dropFirst())
        let tail = Array(rest.dropFirst())
        let route: (Family, Call)? =
            switch rest.first {
            case "push" where tail.first == "schedules": (.schedule, Self.schedule(Array(tail.dropFirst())))
            case "push": Self.push(tail)
            case "push_plan" where tail.count == 1 && ["create", "update", "list"].contains(tail[0]):
                (.push, .plan(tail[0]))
            case "grouppush" where tail.isEmpty || tail == ["file"]: (.group, .groupPush)
            case "images" where (1...2).contains(tail.count) && ["byurls", "byfiles"].contains(tail[0]):
                (.push, .images(tail[0], tail.count == 2 ? tail[1] : nil))
            case "files": (.files, Self.files(tail))
            case "schedules": (.schedule, Self.schedule(tail))
            // Beijing puts reports below /v3/report.
            case "report": Self.report(tail)
            case "received", "status", "messages", "users", "group": Self.report(rest)
            case "devices": (.device, Self.device(tail))
            case "aliases", "tags": (.device, Self.named(rest))
            case "test" where tail.first == "model": (.device, Self.test(Array(tail.dropFirst())))
            // Beijing puts devices below /v3/device, and tags and aliases below that.
            case "device": (.device, ["tags", "aliases"].contains(tail.first) ? Self.named(tail) : Self.device(tail))
            default: nil
            }
        guard let route else { return nil }
        (family, call) = route
    }

    private static func push(_ path: [String]) -> (Family, Call) {
        switch (path.first, path.count) {
        case (nil, _): (.push, .push)
        case ("validate", 1): (.push, .validate)
        case ("cid", 1): (.push, .keys)
        case ("file", 1): (.push, .pushFile)
        case ("quota", 1): (.push, .quota)
        case ("template", 1): (.push, .template(isScheduled: false))
        case ("template", 2) where path[1] == "schedule": (.push, .template(isScheduled: true))
        case ("batch", 3) where ["regid", "alias"].contains(path[1]) && path[2] == "single":
            (.push, .batch(alias: path[1] == "alias"))
        case (let id?, 1) where id.allSatisfy(\.isNumber): (.push, .recall(id))
        default: (.push, .unknown)
        }
    }

    private static func device(_ path: [String]) -> Call {
        path.count == 1 ? (path[0] == "status" ? .status : .device(path[0])) : .unknown
    }

    private static func named(_ path: [String]) -> Call {
        switch (path.first, path.count) {
        case ("tags", 1): .tags
        case ("tags", 2): .tag(path[1])
        case ("tags", 4) where path[2] == "registration_ids": .membership(tag: path[1], device: path[3])
        case ("aliases", 2): .alias(path[1])
        default: .unknown
        }
    }

    private static func test(_ path: [String]) -> Call {
        switch (path.first, path.count) {
        case ("add", 1), ("update", 1), ("list", 1): .testDevice(path[0], nil)
        case ("delete", 2): .testDevice("delete", path[1])
        default: .unknown
        }
    }

    private static func files(_ path: [String]) -> Call {
        switch path.count {
        case 0: .files
        case 1: ["alias", "registration_id"].contains(path[0]) ? .upload(path[0]) : .file(path[0])
        default: .unknown
        }
    }

    private static func schedule(_ path: [String]) -> Call {
        switch (path.count, path.last) {
        case (0, _): .schedules
        case (1, let id?): .schedule(id)
        case (2, "msg_ids"): .scheduledMessages(path[0])
        default: .unknown
        }
    }

    private static func report(_ path: [String]) -> (Family, Call) {
        switch path {
        case ["received"]: (.report, .received(isDetail: false))
        case ["received", "detail"]: (.report, .received(isDetail: true))
        case ["status", "message"]: (.report, .receipts)
        case ["messages"]: (.report, .statistics(isDetail: false))
        case ["messages", "detail"]: (.report, .statistics(isDetail: true))
        case ["users"]: (.report, .users)
        case ["group", "messages", "detail"]: (.groupReport, .statistics(isDetail: true))
        case ["group", "users"]: (.groupReport, .users)
        default: (.report, .unknown)
        }
    }
}
