import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushSimulation

/// A change of a live view, with push type 7. Its data is the vendor's own JSON: of the texts and pictures in it, only
/// the form is checked.
struct LiveView {
    static let events: Set<String> = [
        "TAXI", "DELIVERY", "FLIGHT", "TRAIN", "QUEUE", "PICK_UP", "SCORE", "RENT", "TIMER", "WORKOUT", "NAVIGATION",
    ]
    /// The events whose views the server may create; apps create the others.
    private static let createdByServer: Set<String> = ["FLIGHT", "TAXI", "TRAIN"]
    private static let operations: [DeliveredMessage.ActivityChange.Event] = [.start, .update, .end]

    let id: Int
    let event: String
    let version: Int
    let hasStatus: Bool
    let change: DeliveredMessage.ActivityChange

    init(_ payload: Fields) throws(Refusal) {
        id = try payload.required("activityId", payload.number("activityId", in: Int(Int32.min)...Int(Int32.max)))
        let operation = try payload.required("operation", payload.number("operation", in: 0...2))
        event = try payload.required("event", payload.text("event", of: Self.events))
        if operation == 0, !Self.createdByServer.contains(event) {
            throw .illegal("only an app creates a live view of this event")
        }
        version = try payload.required("version", payload.number("version", in: 0...Int.max))
        hasStatus = try payload.text("status") != nil
        _ = try payload.flag("mute")
        for name in ["title", "content"] { _ = try payload.text(name) }
        let data = try payload.needObject("activityData")
        try Self.check(data.needObject("notificationData"))
        if let capsule = try data.object("capsuleData") { _ = try capsule.number("type", of: [1, 2, 3]) }
        change = DeliveredMessage.ActivityChange(
            id: String(id), event: Self.operations[operation], content: payload.values("activityData"))
    }

    private static func check(_ notification: Fields) throws(Refusal) {
        _ = try notification.number("type", of: [3, 4, 5, 7])
        _ = try notification.text("contentTitle", most: 1024)
        _ = try notification.number("keepTime", in: 0...3600)
        for text in try notification.objects("contentText") ?? [] { _ = try text.text("text") }
        // Only here an action may also clear, 3, or dial, 5.
        if let action = try notification.object("clickAction") {
            _ = try action.number("actionType", of: [0, 1, 3, 5])
        }
    }
}

/// The live views of a device.
struct LiveViews {
    /// Results in receipts.
    enum Result {
        static let gone = 155
        static let older = 156
        static let exists = 158
        static let blocked = 265
        static let noStatus = 268
        static let createdTwice = 269
    }

    private struct View {
        /// Nil for one that the app itself created.
        var version: Int?
        var changedAt: Date
    }

    private static let life = 4 * 3600.0
    private static let idLife = 12 * 3600.0
    private static let block = 24 * 3600.0
    /// The events with higher rates.
    private static let lively: Set<String> = ["TAXI", "SCORE"]

    private var shown: [Int: View] = [:]
    private var createdAt: [Int: Date] = [:]
    private var blockedUntil: [Int: Date] = [:]
    /// By view; under nil those of all views together.
    private var fiveMinutes: [Int?: RateWindow] = [:]
    private var hour: [Int?: RateWindow] = [:]

    /// Keeps that the app created a live view, or ended it.
    mutating func set(_ id: Int, isShown: Bool, _ now: Date) {
        shown[id] = isShown ? View(version: nil, changedAt: now) : nil
    }

    /// Applies a change. Returns the result in the receipt of one that the device does not take; nil if it does.
    /// - Parameters:
    ///   - view: the change.
    ///   - now: the moment.
    ///   - countsTogether: whether the rates count all views together.
    mutating func apply(_ view: LiveView, _ now: Date, countsTogether: Bool) -> Int? {
        shown = shown.filter { now.timeIntervalSince($0.value.changedAt) < Self.life }
        if let end = blockedUntil[view.id], now < end { return Result.blocked }
        guard take(countsTogether ? nil : view.id, Self.lively.contains(view.event), now) else {
            return Deliveries.Result.classCap
        }
        if view.change.event == .start {
            if !view.hasStatus { return Result.noStatus }
            if shown[view.id] != nil { return Result.exists }
            if let last = createdAt[view.id], now.timeIntervalSince(last) < Self.idLife { return Result.createdTwice }
            createdAt[view.id] = now
        } else {
            guard let old = shown[view.id] else {
                blockedUntil[view.id] = now.addingTimeInterval(Self.block)
                return Result.gone
            }
            if let version = old.version, view.version <= version { return Result.older }
        }
        shown[view.id] = view.change.event == .end ? nil : View(version: view.version, changedAt: now)
        return nil
    }

    /// Counts a change.
    private mutating func take(_ id: Int?, _ isLively: Bool, _ now: Date) -> Bool {
        let limits = isLively ? (30, 180) : (10, 60)
        return fiveMinutes[id, default: RateWindow(seconds: 300)].take(limits.0, now)
            && hour[id, default: RateWindow(seconds: 3600)].take(limits.1, now)
    }
}
