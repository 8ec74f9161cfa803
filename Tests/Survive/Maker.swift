import PushAdapter

/// The answers of a maker of phones that writes a code into the body, and mostly the status 200.
struct Maker: Sendable {
    /// The access token of an answer, and its promised life in seconds.
    typealias Token = (text: String, life: Int)

    /// An answer with a code, a text and more fields.
    let answer: @Sendable (_ code: Int, _ text: String, _ fields: String) -> String
    /// The answer to a send to these devices, which names those that the vendor does not know.
    let sent: @Sendable (_ id: String, _ devices: [String], _ unknown: [String]) -> String
    /// The answer to a list that has a code for each device; nil for a maker that gives no such codes.
    var rows: (@Sendable (_ code: Int, _ devices: [String]) -> String)?
    /// The answer with a token; nil for one in the form of OAuth.
    var token: (@Sendable (Token) -> String)?
    /// The code of a success.
    var success = 0
    /// The fields of an answer that lists tags.
    var tags = ""
    /// Refusals of a message, and of a change of tags.
    let refusals: [Refusal]
    /// Refusals about one target, for a maker with one in a request.
    var targets: [Refusal] = []
    /// Refusals of a request for a token.
    var credentials: [Refusal] = []
    /// Refusals of a request whose token has ended.
    var endedTokens: [Refusal] = []
    /// Codes that say that nothing was done, and to wait.
    let throttles: [Int]
    /// Codes that stop later messages for hours.
    var usedUp: [Int] = []
    /// Codes that do not say whether anything was done.
    let failures: [Int]
    /// Header fields of a success.
    var headers: [(String, String)] = []

    /// An answer to a call that is neither a send nor a request for a token.
    func done(_ call: HostileVendor.Call) -> String { answer(success, "ok", call == .read ? tags : "") }
}

extension HostileVendor.Kind {
    /// Its answers; nil for other vendors.
    var maker: Maker? {
        switch self {
        case .xiaomi: .xiaomi
        case .vivo: .vivo
        case .oppo: .oppo
        case .honor: .honor
        default: nil
        }
    }

    /// Whether an accepted send may name devices that the vendor does not know.
    var namesUnknownDevices: Bool { [.xiaomi, .oppo, .honor].contains(self) }
    /// Whether the client may call a device gone on its word. The adapter of Honor is a draft, which believes none.
    var isBelievedAboutDeath: Bool { self != .honor }
}

extension HostileVendor {
    /// The devices of a send that the vendor does not know. It sends to the others, and never knows these again. It
    /// knows every device that has got a message.
    func unknownDevices(in request: Request, _ facts: Facts) -> [String] {
        guard kind.namesUnknownDevices, request.call == .send else { return [] }
        let known = request.units.filter { !facts.dead.contains($0) && facts.acted[$0] == nil }
        let isDrawn = request.units.count > 1 && !known.isEmpty && !facts.isCalm && dice.happens(20)
        return request.units.filter(facts.dead.contains) + (isDrawn ? [dice.pick(known)] : [])
    }

    func refusal(by maker: Maker, of call: Call) -> Refusal {
        if call == .token { return dice.pick(maker.credentials) }
        return dice.pick(call == .send && dice.happens(80) && !maker.targets.isEmpty ? maker.targets : maker.refusals)
    }

    /// A day's amount that is used up stops the calls until midnight, so only rounds with a long throttle have one.
    func throttle(by maker: Maker) -> Int {
        let isLong = longestThrottle != nil && !maker.usedUp.isEmpty && dice.happens(33)
        return dice.pick(isLong ? maker.usedUp : maker.throttles)
    }

    /// An accepted list, each device of which has the code of a throttle.
    func throttledRows(_ request: Request) -> String? {
        guard request.call == .send, request.units.count > 1, let maker = kind.maker, dice.happens(50) else {
            return nil
        }
        return maker.rows?(throttle(by: maker), request.units.map { kind.device($0).rawValue })
    }
}
