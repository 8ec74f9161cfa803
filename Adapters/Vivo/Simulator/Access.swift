import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// The tokens of all apps. An app has several at once.
struct Access: Sendable {
    private static let life = 86_400.0
    private static let skew = 600.0

    private var tokens: [String: (app: Int, end: Date)] = [:]
    private var rates: [Int: RateWindow] = [:]

    /// A token for a request that an app signed.
    mutating func makeToken(_ object: [String: JSONValue], of apps: [Int: VivoApp], at now: Date) throws(Refusal)
        -> String
    {
        let app = try Self.app(object, of: apps, at: now)
        guard rates[app.appID, default: RateWindow(seconds: 1)].take(10, now) else { throw .tooManyTokens }
        let token = SimulatorRandom.uuid()
        tokens[token] = (app.appID, now.addingTimeInterval(Self.life))
        return token
    }

    /// The app of a request's token.
    func app(_ request: SimulatedRequest, at now: Date) throws(Refusal) -> Int {
        guard let field = HTTPField.Name("authToken"), let token = request.headers[field].flatMap({ tokens[$0] }),
            token.end > now
        else { throw .token }
        return token.app
    }

    /// Ends every token early.
    mutating func endTokens() { tokens = [:] }

    private static func app(
        _ object: [String: JSONValue], of apps: [Int: VivoApp], at now: Date
    ) throws(Refusal) -> VivoApp {
        guard let value = object["appId"] else { throw .field(10_200, "appId") }
        guard let id = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else { throw .field(10_201, "appId") }
        guard let key = object["appKey"]?.stringValue, !key.isEmpty else { throw .field(10_202, "appKey") }
        guard let timestamp = object["timestamp"] else { throw .field(10_203, "timestamp") }
        guard let sign = object["sign"]?.stringValue, !sign.isEmpty else { throw .field(10_204, "sign") }
        guard let app = apps[id], app.key == key else { throw .field(10_205, "appId") }
        guard let time = timestamp.intValue,
            abs(Double(time) / 1000 - now.timeIntervalSince1970) <= skew
        else { throw .field(10_207, "timestamp") }
        guard sign == (try? signature(of: app, time)) else { throw .field(10_206, "sign") }
        return app
    }

    private static func signature(of app: VivoApp, _ time: Int) throws(PushError) -> String {
        let secret = app.secret.withBytes { Array($0) }
        return Digests.hex(try Digests.md5(Array("\(app.appID)\(app.key)\(time)".utf8) + secret))
    }
}
