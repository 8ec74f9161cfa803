public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// Callbacks not yet delivered to the backend.
struct CallbackLine {
    struct Entry {
        var number: Int
        var body: [UInt8]
        var dueAt: Date
        var attempt = 1
        /// The body that the response must have; nil if any success counts.
        var echo: String?
        /// The time of the first signature.
        var firstSignedAt: Date?
    }

    var waiting: [Entry] = []
    /// Callbacks in flight.
    var inFlight: [Int: Entry] = [:]
    var lastNumber = 0
    let firstNonce = SimulatorRandom.number(in: 100_000_000...900_000_000)
    var isURLConfirmed = false
}

extension EngageLabSimulator: CallbackSimulator {
    /// Whether the backend responded correctly to the check of its address.
    public var isCallbackConfirmed: Bool { callbacks.isURLConfirmed }

    /// Checks the address with a text to echo, as the console does when you enter the address.
    public func checkCallbackURL(at now: Date) {
        guard settings.callback != nil else { return }
        callbacks.isURLConfirmed = false
        let echo = "echo" + String(1000 + callbacks.lastNumber % 9000)
        enqueue(["echostr": .string(echo)], now, echo: echo)
    }

    public func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback] {
        settle(at: now)
        guard let target = settings.callback else { return [] }
        let due = callbacks.waiting.filter { $0.dueAt <= now }.sorted { $0.dueAt < $1.dueAt }.prefix(max(0, most))
        let numbers = Set(due.map(\.number))
        callbacks.waiting.removeAll { numbers.contains($0.number) }
        return due.map { entry in
            var entry = entry
            let signedAt = settings.signsCallbacksAnew ? now : entry.firstSignedAt ?? now
            entry.firstSignedAt = entry.firstSignedAt ?? signedAt
            callbacks.inFlight[entry.number] = entry
            return OutgoingCallback(
                number: entry.number, attempt: entry.attempt, url: target.url,
                headers: entry.echo == nil || settings.signsChecks ? signature(target, entry, signedAt) : [:],
                body: entry.body,
                timeout: Rules.callbackDeadline)
        }
    }

    /// 200 and 204 are a success. The simulator retries after any other response, at most five times.
    public func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async {
        guard var entry = callbacks.inFlight.removeValue(forKey: callback.number) else { return }
        if let answer, [200, 204].contains(answer.status) {
            if let echo = entry.echo { callbacks.isURLConfirmed = answer.body == Array(echo.utf8) }
            return
        }
        // The simulator checks an address only once.
        guard entry.echo == nil, entry.attempt <= Rules.callbackLadder.count else { return }
        entry.dueAt = now.addingTimeInterval(Rules.callbackLadder[entry.attempt - 1])
        entry.attempt += 1
        callbacks.waiting.append(entry)
    }

    public func nextCallback() async -> Date? {
        settings.callback == nil ? nil : callbacks.waiting.map(\.dueAt).min()
    }

    // MARK: Steps

    /// Reports events to the backend, in callbacks of at most a hundred rows.
    func report(_ messageID: String, _ events: [(device: String, status: String)], _ now: Date) {
        guard settings.callback != nil, let message = app.messages[messageID] else { return }
        var rest = events[...]
        while !rest.isEmpty {
            let part = rest.prefix(Rules.callbackRows)
            rest = rest.dropFirst(part.count)
            let rows = part.map { device, status -> JSONValue in
                let isFailure = status == settings.words.sentFailed
                var row: [String: JSONValue] = [
                    "message_id": .string(messageID), "from": .string(message.push.from), "to": .string(device),
                    "server": "AppPush", "channel": .string(message.fates[device]?.channel ?? ""),
                    "itime": JSONValue(Int(now.timeIntervalSince1970)),
                    "status": [
                        "message_status": .string(status), "status_data": [:],
                        "error_code": JSONValue(isFailure ? Rules.unreachable : 0),
                        "error_detail": ["message": isFailure ? "unreachable" : ""],
                    ],
                ]
                row["custom_args"] = message.push.customArguments
                return .object(row)
            }
            enqueue(["total": JSONValue(rows.count), "rows": .array(rows)], now)
        }
    }

    private func enqueue(_ body: JSONValue, _ now: Date, echo: String? = nil) {
        callbacks.lastNumber += 1
        callbacks.waiting.append(
            CallbackLine.Entry(
                number: callbacks.lastNumber, body: JSONWriter.bytes(of: body), dueAt: now, echo: echo))
    }

    /// The signature header. Empty without a user name, because the vendor's settings do not require one.
    private func signature(
        _ target: EngageLabSimulatorSettings.Callback, _ entry: CallbackLine.Entry, _ date: Date
    ) -> HTTPFields {
        guard !target.username.isEmpty, let name = HTTPField.Name("X-CALLBACK-ID") else { return [:] }
        let timestamp = String(Int(date.timeIntervalSince1970))
        // Each callback has its own number; if attempts are signed anew, so does each attempt. Other centers' numbers
        // differ.
        let attempt = settings.signsCallbacksAnew ? entry.attempt : 1
        let nonce = String(callbacks.firstNonce + entry.number * 10 + attempt)
        let code = Digests.hmacSHA256(Array((timestamp + nonce + target.username).utf8), key: target.secret)
        let parts = [
            "timestamp=\(timestamp)", "nonce=\(nonce)", "username=\(target.username)", "signature=\(Digests.hex(code))",
        ]
        return [name: parts.joined(separator: ";")]
    }
}
