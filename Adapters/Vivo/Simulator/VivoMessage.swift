import FoundationEssentials
import PushAdapter
import PushSimulation

typealias Fields = SimulatedFields<Refusal>

/// A message after every check that needs no app.
struct VivoMessage: Sendable {
    let title: String
    let content: String
    let lane: Lane
    let category: String?
    let requestID: String
    /// Whether only phones that are entered for tests get it.
    let isTest: Bool
    let playsSound: Bool
    /// Seconds; nil for the class's own.
    let life: Double?
    let tap: TapAction?
    let notifyID: Int?
    let extras: [String: JSONValue]
    let receipts: ReceiptOrder?
    let isOnlineOnly: Bool
    let addsBadge: Bool
    let goesToOpenApp: Bool

    /// - Parameter leastLife: the shortest life in seconds, which depends on the call.
    init(_ fields: Fields, _ settings: VivoSimulatorSettings, leastLife: Int) throws(Refusal) {
        guard let type = try fields.number("notifyType"), (1...4).contains(type) else { throw .code("notifyType") }
        playsSound = type == 2 || type == 4
        title = try Self.text("title", fields, settings.titleLength, settings)
        content = try Self.text("content", fields, settings.contentLength, settings)
        let life = try fields.number("timeToLive")
        if let life, !(leastLife...settings.longestLife).contains(life) { throw .code("timeToLive") }
        self.life = life.map { Double($0) }
        tap = try Self.tap(fields, settings)
        if let network = try fields.number("networkType"), ![-1, 1].contains(network) { throw .code("networkType") }
        extras = try Self.pairs(fields)
        (lane, category) = try Self.lane(fields, settings)
        notifyID = try fields.number("notifyId")
        if let notifyID, notifyID < 0 { throw .code("notifyId") }
        receipts = try ReceiptOrder(fields["extra"], settings)
        requestID = try fields.requestID()
        isTest = try fields.number("pushMode") == 1
        isOnlineOnly = try fields.flag("sendOnline") ?? false
        addsBadge = try fields.flag("addBadge") ?? false
        goesToOpenApp = try fields.flag("foregroundShow") == false
        if settings.refusesTestTexts, !isTest, Self.isTestText(title) || Self.isTestText(content) { throw .testText }
    }

    // MARK: Checks

    private static func text(
        _ name: String, _ fields: Fields, _ most: Int, _ settings: VivoSimulatorSettings
    ) throws(Refusal) -> String {
        let text = try fields.needText(name)
        let units = text.unicodeScalars.reduce(0) { $0 + (settings.countsWideTwice && !$1.isASCII ? 2 : 1) }
        guard units <= most else { throw .tooLong(name) }
        return text
    }

    /// Whether a text looks like a test: it has a word or sign of tests, or only digits, Latin letters and signs.
    private static func isTestText(_ text: String) -> Bool {
        text.contains("测试") || text.contains(where: "{}[]".contains)
            || !text.unicodeScalars.contains { $0.value >= 0x2E80 && $0.properties.isAlphabetic }
    }

    private static func tap(_ fields: Fields, _ settings: VivoSimulatorSettings) throws(Refusal) -> TapAction? {
        let names = [2: "link", 3: "custom content", 4: "page"]
        guard let type = try fields.number("skipType"), (1...4).contains(type) else { throw .code("skipType") }
        guard let name = names[type] else { return nil }
        let text = try fields.text("skipContent") ?? ""
        guard !text.isEmpty else { throw .code(name) }
        guard text.utf8.count <= settings.skipLength else { throw .tooLong(name) }
        return type == 2 ? .link(text) : .intentURI(text)
    }

    private static func pairs(_ fields: Fields) throws(Refusal) -> [String: JSONValue] {
        guard let value = fields["clientCustomMap"] else { return [:] }
        guard case .object(let pairs) = value, pairs.count <= 10 else { throw .code("clientCustomMap") }
        guard pairs.values.allSatisfy({ $0.stringValue != nil }) else { throw .code("clientCustomMap") }
        let length = pairs.reduce(0) { $0 + $1.key.count + ($1.value.stringValue ?? "").count }
        guard length <= 1024 else { throw .tooLong("clientCustomMap") }
        return pairs
    }

    /// The class and the category. A wrong pair is refused; without a category, the class alone decides.
    private static func lane(
        _ fields: Fields, _ settings: VivoSimulatorSettings
    ) throws(Refusal) -> (lane: Lane, category: String?) {
        let number = try fields.number("classification") ?? settings.defaultClassification
        guard let lane = Lane(rawValue: number) else { throw .code("classification") }
        guard let category = try fields.text("category"), !category.isEmpty else { return (lane, nil) }
        guard let own = Lane(category: category) else { throw .unknownCategory }
        guard own == lane else { throw .category }
        return (lane, category)
    }

    // MARK: Delivery

    /// The quota of the class that the message claims.
    var quota: Quota { Quota(lane, isTest: isTest) }

    /// The message as a phone receives it.
    func content(_ id: String) -> DeliveredMessage {
        var content = DeliveredMessage(messageID: id, alert: content, title: title, extras: extras)
        content.sound = playsSound ? "default" : nil
        content.category = category
        content.tap = tap
        content.collapseID = notifyID.map(String.init)
        content.goesToOpenApp = goesToOpenApp
        return content
    }
}

extension Fields where Refusal == VendorRefusal {
    /// The id of a request, which every send needs.
    func requestID() throws(VendorRefusal) -> String {
        let id = try needText("requestId")
        guard id.count <= 64 else { throw .tooLong("requestId") }
        return id
    }
}

extension Refusal {
    /// The codes of fields: for an empty or wrong one, and for one that is too long.
    private static let codes: [String: (wrong: Int, long: Int)] = [
        "notifyType": (10_054, 10_054), "title": (10_055, 10_056), "content": (10_057, 10_058),
        "timeToLive": (10_059, 10_059), "skipType": (10_060, 10_060), "link": (10_061, 10_062),
        "custom content": (10_063, 10_064), "networkType": (10_065, 10_065), "clientCustomMap": (10_066, 10_067),
        "page": (10_068, 10_069), "notifyId": (10_095, 10_095), "category": (10_096, 10_096),
        "classification": (10_051, 10_051), "appId": (10_094, 10_094), "regId": (10_050, 10_050),
        "alias": (10_050, 10_301), "requestId": (10_352, 10_353), "extra": (10_304, 10_304),
        "callback": (10_305, 10_305), "callback.param": (10_306, 10_306), "taskId": (10_151, 10_151),
        "regIds": (10_150, 10_154), "aliases": (10_150, 10_154), "tagExpression": (10_601, 10_601),
        "orTags": (10_601, 10_601), "andTags": (10_601, 10_601), "notTags": (10_601, 10_601),
        "name": (10_609, 10_609), "type": (10_614, 10_614), "ids": (10_616, 10_616),
    ]

    /// No document says what a field without a code gets.
    static func code(_ name: String) -> Refusal { codes[name].map { .field($0.wrong, name) } ?? .broken }
    static func tooLong(_ name: String) -> Refusal { codes[name].map { .field($0.long, name) } ?? code(name) }
}

extension Fields.Refusals where Refusal == VendorRefusal {
    /// A field has one code, whether it is missing or has a wrong type.
    static let byField = Self(missing: { .code($0) }, wrongType: { .code($0) })
}
