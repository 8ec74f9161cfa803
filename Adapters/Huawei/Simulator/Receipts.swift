package import FoundationEssentials
package import PushAdapter
import PushCrypto
package import PushSimulation

/// The address and the form of receipts, and answers to questions that the documents leave open.
package struct ReceiptTarget: Sendable {
    /// The form of a receipt.
    package enum Version: Sendable {
        /// Flat rows with `status`.
        case first
        /// Rows with `deliveryStatus` or `formStatus`.
        case second
    }

    package var url: String
    package var version: Version
    /// The name in the signature; without one there is no header.
    package var user: String
    package var key: Secret
    /// Whether the time in the header counts seconds instead of milliseconds.
    package var countsSeconds: Bool
    /// Receipts per call.
    package var most: Int
    /// The seconds before each retry.
    package var retries: [Double]
    /// Whether each call comes a second time although it was answered.
    package var isRepeated: Bool

    package init(
        url: String, version: Version, user: String, key: Secret, countsSeconds: Bool, most: Int, retries: [Double],
        isRepeated: Bool
    ) {
        (self.url, self.version, self.user, self.key) = (url, version, user, key)
        (self.countsSeconds, self.most, self.retries, self.isRepeated) = (countsSeconds, most, retries, isRepeated)
    }
}

/// The result of a message on one device.
package struct Receipt: Sendable {
    package var token: String
    package var result: Int
    package var message: HuaweiMessage
    package var date: Date

    func row(_ version: ReceiptTarget.Version) -> JSONValue {
        let time = JSONValue(Int(date.timeIntervalSince1970 * 1000))
        var row: [String: JSONValue] = [
            "token": .string(token), "requestId": .string(message.content.messageID), "biTag": .string(message.tag),
        ]
        switch version {
        case .first:
            row["appid"] = .string(message.appID)
            row["status"] = JSONValue(result)
            row["timestamp"] = time
        case .second:
            row["pushType"] = JSONValue(message.pushType)
            row["appPackageName"] = .string(message.bundleName)
            var status: [String: JSONValue] = ["result": JSONValue(result), "timestamp": time]
            status["formId"] = message.formID.map { JSONValue($0) }
            row[message.formID == nil ? "deliveryStatus" : "formStatus"] = .object(status)
        }
        return .object(row)
    }
}

/// Receipts not yet delivered to the backend.
package struct ReceiptLine: Sendable {
    private struct Call {
        var number: Int
        var receipts: [Receipt]
        var dueAt: Date
        var attempt = 1
        /// Whether it comes once more.
        var returns: Bool
    }

    private static let deadline: Duration = .seconds(10)
    private let target: ReceiptTarget?
    private var waiting: [Call] = []
    private var inFlight: [Int: Call] = [:]
    private var lastNumber = 0

    /// A line to an address; nil for a console without one.
    package init(_ target: ReceiptTarget?) { self.target = target }

    /// Adds a receipt to the last call that has room, or to a new call.
    package mutating func add(_ receipt: Receipt) {
        guard let target else { return }
        if let last = waiting.indices.last, waiting[last].attempt == 1, waiting[last].dueAt == receipt.date,
            (1..<target.most).contains(waiting[last].receipts.count)
        {
            return waiting[last].receipts.append(receipt)
        }
        enqueue([receipt], receipt.date, returns: target.isRepeated)
    }

    /// Adds the console's check of the address: without receipts, and without a signature.
    package mutating func addCheck(_ now: Date) {
        if target != nil { enqueue([], now, returns: false) }
    }

    private mutating func enqueue(_ receipts: [Receipt], _ now: Date, returns: Bool) {
        lastNumber += 1
        waiting.append(Call(number: lastNumber, receipts: receipts, dueAt: now, returns: returns))
    }

    /// When the next call is due.
    package var next: Date? { waiting.map(\.dueAt).min() }

    /// The calls that are due, oldest first.
    package mutating func take(_ most: Int, at now: Date) -> [OutgoingCallback] {
        guard let target else { return [] }
        let due = waiting.filter { $0.dueAt <= now }.prefix(max(0, most))
        let numbers = Set(due.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        return due.map { call in
            inFlight[call.number] = call
            let rows = call.receipts.map { $0.row(target.version) }
            return OutgoingCallback(
                number: call.number, attempt: call.attempt, url: target.url,
                headers: rows.isEmpty ? [:] : Self.signature(target, now),
                body: JSONWriter.bytes(of: rows.isEmpty ? [:] : ["statuses": .array(rows)]), timeout: Self.deadline)
        }
    }

    /// Takes the backend's response: only 200 is a success.
    package mutating func note(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) {
        guard var call = inFlight.removeValue(forKey: callback.number), let target, !call.receipts.isEmpty else {
            return
        }
        if answer?.status == 200 {
            guard call.returns else { return }
            call.returns = false
            call.dueAt = now
        } else {
            guard call.attempt <= target.retries.count else { return }
            call.dueAt = now.addingTimeInterval(target.retries[call.attempt - 1])
        }
        call.attempt += 1
        waiting.append(call)
    }

    /// The header that says who calls. It does not cover the body.
    private static func signature(_ target: ReceiptTarget, _ now: Date) -> HTTPFields {
        guard !target.user.isEmpty, let name = HTTPField.Name("X-HUAWEI-CALLBACK-ID") else { return [:] }
        let time = String(Int(now.timeIntervalSince1970 * (target.countsSeconds ? 1 : 1000)))
        let nonce = SimulatorRandom.uuid()
        let code = Digests.hmacSHA256(Array((time + nonce + target.user).utf8), key: target.key)
        return [name: "timestamp=\(time); nonce=\(nonce); value=\(Data(code).base64EncodedString())"]
    }
}
