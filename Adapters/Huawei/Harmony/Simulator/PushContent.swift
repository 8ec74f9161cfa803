import HuaweiSimulation
import PushAdapter
import PushSimulation

/// The scenario of a message, from the header `push-type`.
enum PushType: Int {
    case alert = 0
    case form = 1
    case voice = 2
    case background = 6
    case liveView = 7
    case call = 10

    init(_ request: SimulatedRequest) throws(Refusal) {
        let text = HTTPField.Name("push-type").flatMap { request.headers[$0] } ?? ""
        guard let number = Int(text), let type = PushType(rawValue: number) else { throw .parameters("push-type") }
        self = type
    }

    /// Whether an app needs a right of its own for it.
    var needsRight: Bool { [.voice, .liveView, .call].contains(self) }
}

extension Refusal {
    static let unverifiedImage = Refusal(400, 80_100_022, "Anti-Spam: image not verify")
    static let testsUsedUp = Refusal(400, 80_300_029, "The number of test messages exceeds the limit of the day")
    static let tooManyTestTokens = Refusal(400, 80_300_030, "The number of tokens in a test message exceeds the limit")
}

/// A request after every check of its fields.
struct PushContent {
    static let serviceCategories = MessageCategory.service.union(["MISS_CALL", customer])
    private static let customer = "CUSTOMER_SERVICE"
    private static let categories = serviceCategories.union([MessageCategory.marketing])
    private static let longestLife = 1_296_000

    let type: PushType
    let tokens: [String]
    /// With push types 0 and 2.
    let notification: PushNotification?
    /// With push types 2, 6 and 10.
    let extraData: String?
    /// With push type 7.
    let liveView: LiveView?
    /// With push type 1.
    let form: FormUpdate?
    let isTest: Bool
    /// Seconds.
    let life: Int
    let tag: String
    let group: Int?

    /// The tokens, each once, in order.
    var uniqueTokens: [String] {
        var seen: Set<String> = []
        return tokens.filter { seen.insert($0).inserted }
    }

    init(_ type: PushType, _ body: Fields, _ settings: HarmonySimulatorSettings) throws(Refusal) {
        self.type = type
        let payload = try body.needObject("payload")
        tokens = try body.object("target")?.texts("token") ?? []
        let hasText = type == .alert || type == .voice
        notification = hasText ? try PushNotification(payload.needObject("notification")) : nil
        extraData = [.voice, .background, .call].contains(type) ? try payload.needText("extraData") : nil
        liveView = type == .liveView ? try LiveView(payload) : nil
        form = type == .form ? try FormUpdate(payload) : nil
        if type == .background { _ = try payload.text("proxyData", of: ["ENABLE"]) }

        let options = try body.object("pushOptions")
        isTest = try options?.flag("testMessage") ?? false
        tag = try options?.text("biTag", most: 64) ?? ""
        _ = try options?.text("receiptId")
        let group = try options?.number("collapseKey", in: -1...100) ?? -1
        self.group = hasText && group >= 0 ? group : nil
        if type == .background { _ = try options?.number("backgroundMode", of: [0, 1]) }
        life = try options?.number("ttl") ?? 86_400
        guard (1...Self.longestLife).contains(life) else {
            throw settings.refusesLifeAsPayload ? .illegal("ttl is wrong") : .expiry
        }
        try checkCategory(settings)
    }

    private func checkCategory(_ settings: HarmonySimulatorSettings) throws(Refusal) {
        guard let category = notification?.category else { return }
        let isKnown = Self.categories.contains(category) && (category != Self.customer || settings.knowsCustomerService)
        guard settings.acceptsUnknownCategories || isKnown,
            (category == MessageCategory.voice) == (type == .voice)
        else { throw .illegal("category is wrong") }
    }
}

/// An update of a form, also called a card.
struct FormUpdate {
    let id: Int
    let version: Int
    let data: [String: JSONValue]

    init(_ payload: Fields) throws(Refusal) {
        id = try payload.needNumber("formId")
        version = try payload.required("version", payload.number("version", in: 0...Int.max))
        for name in ["moduleName", "formName", "abilityName"] { _ = try payload.needText(name) }
        _ = try payload.needObject("formData")
        data = payload.values("formData")
        guard data.allSatisfy({ !$0.key.contains("datashareproxy://") && $0.value != .null }) else {
            throw .illegal("formData has a wrong key or value")
        }
        let images = try payload.objects("images") ?? []
        guard images.count <= 1 else { throw .illegal("images has more than one picture") }
        for image in images {
            _ = try image.needText("keyName")
            _ = try image.required("url", image.address("url"))
            _ = try image.number("require", of: [0, 1])
        }
    }
}
