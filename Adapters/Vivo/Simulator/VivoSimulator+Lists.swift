import FoundationEssentials
import PushAdapter
import PushSimulation

/// Lists. One call stores a message, later ones send it to targets. No document says how long it can be sent; here, for
/// its time to live.
extension VivoSimulator {
    func store(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (app, _, message) = try message(call, leastLife: 900)
        try check(message.quota, app, call.now)
        try spend(.lists, app, call.now)
        let push = push(message, to: .several([]), app, call.now)
        stored[push.task] = push
        return .accepted(["taskId": .string(push.task)])
    }

    func sendList(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        try takeRate(app, call.now)
        let (task, targets) = (try fields.needText("taskId"), try Audience.list(fields))
        let id = try fields.requestID()
        let push = try storedPush(task, app, call.now)
        var answer: [String: JSONValue] = ["requestId": .string(id)]
        if settings.dropsRepeats, repeats["\(app.appID) \(id)"] != nil { return .accepted(answer) }
        try check(push.message.quota, app, call.now)
        repeats["\(app.appID) \(id)"] = task
        let refused = send(push, to: targets, app, call.now)
        if !refused.isEmpty { answer[settings.listsInData ? "data" : "invalidUsers"] = .array(refused) }
        return .accepted(answer)
    }

    // MARK: Steps

    /// A stored message that the app may send now.
    private func storedPush(_ task: String, _ app: VivoApp, _ now: Date) throws(Refusal) -> Push {
        guard let push = stored[task], push.app == app.appID else { throw .unknownTask }
        guard push.end > now else { throw .expiredTask }
        try check(push.message, app, now)
        return push
    }

    /// Sends to the targets that may get it, and returns the rows of the others.
    private func send(_ push: Push, to targets: [Target], _ app: VivoApp, _ now: Date) -> [JSONValue] {
        let states = targets.map { ($0, status(of: $0, push.message, app, now)) }
        start(push, to: .several(states.filter { $0.1 == nil }.map(\.0)), at: now)
        return states.compactMap { target, status in status?.row(target.name) }
    }
}
