import JiguangDialect
public import PushAdapter

/// The status of a message on one device.
public enum JPushReceipt: Int, Sendable, Hashable {
    /// The message arrived on the device.
    case received = 0
    /// The device is a target, but the message has not arrived.
    case notReceived = 1
    /// The app does not have this device.
    case unknownDevice = 2
    /// The device belongs to the app but was not a target of the message.
    case noTarget = 3
    /// The vendor had an internal failure and does not know.
    case failed = 4
}

/// The number of devices that a message targeted, reached, was shown on and was opened on. A number is nil if the
/// vendor does not know it.
public struct JPushFunnel: Sendable, Hashable, Decodable {
    /// Devices that the message targeted.
    public let target: Int?
    /// Devices that the message was sent to.
    public let sent: Int?
    /// Devices that received it within five days. The vendor counts no later ones.
    public let received: Int?
    /// Devices that showed it within five days.
    public let display: Int?
    /// Devices that opened it within five days.
    public let click: Int?
}

/// Statistics of one message.
public struct JPushMessageStatistics: Sendable, Hashable {
    /// The message; in a group report, the id of the group message.
    public let message: MessageID
    /// The numbers by kind: `notification`, `message`, `inapp`, `live_activity`.
    public let totals: [String: JPushFunnel]
    /// The vendor's whole row, including the channels below each kind and the older keys of messages before 2021-09.
    public let fields: JSONValue
}

/// A time unit of the vendor's reports.
public enum JPushTimeUnit: String, Sendable, Hashable {
    /// `yyyy-MM-dd HH` of today.
    case hour = "HOUR"
    /// `yyyy-MM-dd`.
    case day = "DAY"
    /// `yyyy-MM`.
    case month = "MONTH"
}

/// Users of an app in one hour, day or month.
public struct JPushUserCount: Sendable, Hashable {
    /// Users on one platform. A count is nil if the vendor omits it.
    public struct Counts: Sendable, Hashable, Decodable {
        /// Users that were new in the period.
        public let new: Int?
        /// Users that were online in the period.
        public let online: Int?
        /// Users that the vendor counts as active in the period.
        public let active: Int?
    }

    /// The hour, day or month, in the vendor's form.
    public let time: String
    /// The counts by the vendor's word for each platform.
    public let platforms: [String: Counts]
}

extension JPush {
    /// `GET /v3/received`: the older form of `readDeliveries(of:)`. Returns the vendor's rows unchanged.
    public func readReceived(of messages: [MessageID]) throws(PushError) -> Exchange<[JSONValue]> {
        try rows(.jpushReadReceived, ["received"], messages)
    }

    /// `POST /v3/status/message`: reads the status of one message on at most 1000 devices.
    /// - Parameters:
    ///   - message: the message.
    ///   - devices: 1 to 1000 devices of the app.
    ///   - date: the day of the send, `yyyy-MM-dd` in the vendor's time; nil means today.
    public func readReceipts(
        of message: MessageID, on devices: [DeviceID], sent date: String? = nil
    ) throws(PushError) -> Exchange<[DeviceID: JPushReceipt]> {
        try checkMessageID(message)
        guard message.rawValue.first != "0" else {
            throw PushError(.invalidArgument, "a JPush message id does not begin with 0")
        }
        let body = try JSONWriter.object { json in
            // The vendor wants the id as a number, with all its digits.
            json.field("msg_id", encoded: Array(message.rawValue.utf8))
            json.field("registration_ids", devices)
            if let date { json.field("date", date) }
        }
        struct Status: Decodable {
            var status: Int
        }
        return api.call(
            .jpushReadReceipts, WireRequest(.post, .jpushReport, path: ["status", "message"], body: .json(body)),
            checking: [.count(devices.count, .jpushDevicesPerCall, "the devices"), .devices(devices)]
        ) { (response) throws(PushError) in
            try response.json([String: Status].self).reduce(into: [:]) { receipts, row in
                receipts[DeviceID(row.key)] = JPushReceipt(rawValue: row.value.status) ?? .failed
            }
        }
    }

    /// `GET /v3/messages/detail`: statistics of at most 100 messages. Needs a contract.
    public func readStatistics(of messages: [MessageID]) throws(PushError) -> Exchange<[JPushMessageStatistics]> {
        for message in messages { try checkMessageID(message) }
        return statistics(
            .jpushReadStatistics, ["messages", "detail"], "msg_ids", messages, .jpushReportMessages, .app)
    }

    /// `GET /v3/messages`: the older statistics. Returns the vendor's rows unchanged. Needs a contract.
    public func readOldStatistics(of messages: [MessageID]) throws(PushError) -> Exchange<[JSONValue]> {
        try rows(.jpushReadOldStatistics, ["messages"], messages)
    }

    /// `GET /v3/users`: new, online and active users of the last sixty days. Hours are available for today only. Needs
    /// a contract.
    /// - Parameters:
    ///   - unit: the time unit of each count.
    ///   - start: the first unit, in that unit's form.
    ///   - count: the number of units, from 1.
    public func readUsers(
        by unit: JPushTimeUnit, from start: String, count: Int
    ) throws(PushError) -> Exchange<[JPushUserCount]> {
        try users(.jpushReadUsers, ["users"], unit, start, count, .app)
    }

    /// `GET /v3/group/messages/detail`: statistics of at most ten group messages of the last thirty days. Signed by the
    /// group.
    public func readGroupStatistics(of messages: [MessageID]) -> Exchange<[JPushMessageStatistics]> {
        statistics(
            .jpushReadGroupStatistics, ["group", "messages", "detail"], "group_msgids", messages, .jpushGroupMessages,
            .group)
    }

    /// `GET /v3/group/users`: users of all apps of the group in the last thirty days.
    public func readGroupUsers(
        by unit: JPushTimeUnit, from start: String, count: Int
    ) throws(PushError) -> Exchange<[JPushUserCount]> {
        try users(.jpushReadGroupUsers, ["group", "users"], unit, start, count, .group)
    }

    // MARK: Requests

    private func rows(
        _ operation: Feature, _ path: [PathSegment], _ messages: [MessageID]
    ) throws(PushError) -> Exchange<[JSONValue]> {
        for message in messages { try checkMessageID(message) }
        return api.call(
            operation, request(path, "msg_ids", messages),
            checking: [.count(messages.count, .messagesPerReport, "the messages of a report")]
        ) { (response) throws(PushError) in try response.json([JSONValue].self) }
    }

    private func request(_ path: [PathSegment], _ key: String, _ messages: [MessageID]) -> WireRequest {
        let ids = messages.map(\.rawValue).joined(separator: ",")
        return WireRequest(.get, .jpushReport, path: path, query: [QueryItem(key, ids)])
    }

    private func statistics(
        _ operation: Feature, _ path: [PathSegment], _ key: String, _ messages: [MessageID], _ limit: LimitKey,
        _ scope: CredentialScope
    ) -> Exchange<[JPushMessageStatistics]> {
        api.call(
            operation, request(path, key, messages), as: scope,
            checking: [.count(messages.count, limit, "the messages of a report")]
        ) { (response) throws(PushError) in
            try response.json([StatisticsRow].self).map { row in
                JPushMessageStatistics(message: MessageID(row.id.text), totals: row.totals, fields: row.fields)
            }
        }
    }

    private func users(
        _ operation: Feature, _ path: [PathSegment], _ unit: JPushTimeUnit, _ start: String, _ count: Int,
        _ scope: CredentialScope
    ) throws(PushError) -> Exchange<[JPushUserCount]> {
        let length = [JPushTimeUnit.hour: 13, .day: 10, .month: 7][unit]
        guard (1...(scope == .group ? 30 : 60)).contains(count), start.utf8.count == length else {
            throw PushError(
                .invalidArgument,
                "a user report needs a start in its unit (2026-11-20 09, 2026-11-20 or 2026-11) and a count from 1"
            )
        }
        let span: [QueryItem] = .span(unit.rawValue, from: start, count: count)
        return api.call(operation, WireRequest(.get, .jpushReport, path: path, query: span), as: scope) {
            (response) throws(PushError) in
            try UserRow.rows(response).map { JPushUserCount(time: $0.time, platforms: $0.platforms) }
        }
    }
}

/// `{"msg_id", "details": {"notification": {...}}}`.
private struct StatisticsRow: Decodable {
    let id: WireText
    let totals: [String: JPushFunnel]
    let fields: JSONValue

    private enum CodingKeys: String, CodingKey {
        case details
        case id = "msg_id"
        case groupID = "group_msgid"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id =
            try container.decodeIfPresent(WireText.self, forKey: .id)
            ?? container.decode(WireText.self, forKey: .groupID)
        let details = try container.decodeIfPresent([String: Lenient<JPushFunnel>].self, forKey: .details)
        totals = (details ?? [:]).compactMapValues(\.value)
        fields = try JSONValue(from: decoder)
    }
}
