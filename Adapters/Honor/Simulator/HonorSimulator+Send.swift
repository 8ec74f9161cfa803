import FoundationEssentials
import PushAdapter
import PushSimulation

/// Sends.
extension HonorSimulator {
    /// The codes of receipts that the simulator itself gives.
    private enum Result {
        static let kept = 0
        static let passed = 1
        static let arrived = 2
        static let overQuota = 9
    }

    func send(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let app = try app(call)
        let body = try Fields(body: call.request)
        let tokens = try body.tokens()
        guard call.request.bytes(without: tokens) <= settings.bodyBytes else { throw .tooLong }
        let message = try HonorMessage(body, settings)
        guard message.notification != nil || app.mayPassThrough else { throw .noRight }
        try takeQuotas(message, tokens.count, app, call.now)
        let bad = (expired: tokens.filter { isExpired($0, app) }, failed: tokens.filter { isFailed($0, app) })
        let refused = Set(bad.expired + bad.failed)
        guard refused.count < tokens.count || settings.listsAllRefused else { throw .allRefused }
        let id = SimulatorRandom.uuid()
        if refused.count < tokens.count, settings.sendResult != false {
            sendCount += 1
            for token in tokens where !refused.contains(token) { send(message, id, to: token, app, call.now) }
        }
        let isPartial = !refused.isEmpty && refused.count < tokens.count && settings.marksPartialSuccess
        return answer(isPartial ? 80_100_000 : settings.successCode, id, bad.failed, bad.expired)
    }

    static func tests(_ app: String) -> String { "\(app) tests" }

    // MARK: Tokens

    private func isForeign(_ token: String, _ app: HonorApp) -> Bool { homes[token]?.owner != app.appID }

    private func isExpired(_ token: String, _ app: HonorApp) -> Bool {
        isForeign(token, app) ? settings.foreignTokensExpire : homes[token]?.isDead == true
    }

    private func isFailed(_ token: String, _ app: HonorApp) -> Bool {
        guard !isExpired(token, app) else { return false }
        return isForeign(token, app) || homes[token]?.isRefused == true
    }

    // MARK: Steps

    private func takeQuotas(
        _ message: HonorMessage, _ count: Int, _ app: HonorApp, _ now: Date
    ) throws(Refusal) {
        if message.isTest {
            guard counts.count(of: Self.tests(app.appID), now) < app.testMessagesPerDay else { throw .testsUsedUp }
        }
        var rate = rates[app.appID] ?? RateWindow(seconds: 1)
        let cost = settings.countsDevices ? count : 1
        guard rate.remaining(app.ratePerSecond, now) >= cost else { throw .busy }
        for _ in 0..<cost { _ = rate.take(app.ratePerSecond, now) }
        rates[app.appID] = rate
        if message.isTest { counts.add(Self.tests(app.appID), now) }
    }

    private func answer(_ code: Int, _ id: String, _ failed: [String], _ expired: [String]) -> SimulatedResponse {
        var data: [String: JSONValue] = [
            "requestId": .string(id), "failTokens": .array(failed.map { .string($0) }),
            "expireTokens": .array(expired.map { .string($0) }),
        ]
        data["sendResult"] = settings.sendResult.map { .bool($0) }
        return .json(["code": settings.code(code), "message": "success", "data": .object(data)])
    }

    // MARK: Delivery

    /// Delivers a message to a token, or keeps it while the device is offline.
    private func send(_ message: HonorMessage, _ id: String, to token: String, _ app: HonorApp, _ now: Date) {
        if isOverCap(message, token, app, now) {
            outcomes[id, default: [:]][token] = Result.overQuota
        } else if let result = homes[token]?.result {
            outcomes[id, default: [:]][token] = result
        } else if devices[token]?.device.isOnline == true {
            deliver(message, id, to: token)
        } else {
            if message.notification == nil { outcomes[id, default: [:]][token] = Result.kept }
            homes[token]?.waiting.append((id, message, until: now.addingTimeInterval(message.life)))
        }
    }

    /// Counts a marketing message of a device. Test messages are outside the cap.
    private func isOverCap(_ message: HonorMessage, _ token: String, _ app: HonorApp, _ now: Date) -> Bool {
        guard message.notification != nil, !message.isTest, !(app.maySendService && message.isService(settings))
        else { return false }
        return counts.add(token, now) > app.marketingPerDay
    }

    func deliver(_ message: HonorMessage, _ id: String, to token: String) {
        var content = message.content(id, settings)
        if let change = message.notification?.badge {
            let number = change.number(after: devices[token]?.badge ?? 0)
            devices[token]?.badge = number
            content.badge = number
        }
        devices[token]?.inbox.receive(content)
        outcomes[id, default: [:]][token] = message.notification == nil ? Result.passed : Result.arrived
    }
}

extension SimulatedRequest {
    /// The bytes of the body without the tokens, their quotes and the commas between them.
    fileprivate func bytes(without tokens: [String]) -> Int {
        body.count - tokens.reduce(0) { $0 + $1.utf8.count + 2 } - max(0, tokens.count - 1)
    }
}
