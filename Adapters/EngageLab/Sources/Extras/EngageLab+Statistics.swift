import JiguangDialect
public import PushAdapter

/// The number of devices that a message targeted, was sent to, reached, was shown on and was opened on. A number is nil
/// if the vendor does not report it.
public struct EngageLabFunnel: Sendable, Hashable, Decodable {
    /// Valid targets, after filtering.
    public let targets: Int?
    /// Devices whose message went to a channel.
    public let sent: Int?
    /// Devices that the message reached. On iOS, counting needs the vendor's notification extension.
    public let delivered: Int?
    /// Devices that showed the message.
    public let impressions: Int?
    /// Devices on which the user opened the message.
    public let clicks: Int?

    private enum CodingKeys: String, CodingKey {
        case targets, target, sent, delivered, impressions, clicks, click
    }

    /// Reads both spellings. The vendor writes `targets` and `clicks` at one level, `target` and `click` at another.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ keys: CodingKeys...) throws -> Int? {
            for key in keys {
                if let count = try container.decodeIfPresent(Int.self, forKey: key) { return count }
            }
            return nil
        }
        targets = try count(.targets, .target)
        sent = try count(.sent)
        delivered = try count(.delivered)
        impressions = try count(.impressions)
        clicks = try count(.clicks, .click)
    }

    /// Whether the vendor reports nothing about the channel.
    var isEmpty: Bool { targets == nil && sent == nil && delivered == nil && impressions == nil && clicks == nil }
}

/// Statistics of one message, or of one plan.
public struct EngageLabStatistics: Sendable, Hashable, Decodable {
    /// Totals over all kinds of content and all channels.
    public let total: EngageLabFunnel
    /// The plan of the message; nil for none.
    public let plan: String?
    /// The numbers by kind: `notification`, `message`, `live_activity`, `voip`, `inapp_message`.
    public let kinds: [String: EngageLabFunnel]
    /// The numbers for notifications, by the vendor's words for channels: `engageLab_android`, `xiaomi`, `apns`.
    public let channels: [String: EngageLabFunnel]

    private enum CodingKeys: String, CodingKey {
        case sub
        case plan = "plan_id"
    }

    private struct Channels: Decodable {
        var android: [String: EngageLabFunnel]?
        var ios: [String: EngageLabFunnel]?
        var harmony: [String: EngageLabFunnel]?

        private enum CodingKeys: String, CodingKey {
            case android = "sub_android"
            case ios = "sub_ios"
            case harmony = "sub_hmos"
        }

        var all: [String: EngageLabFunnel] {
            [android, ios, harmony].reduce(into: [:]) { all, part in
                all.merge((part ?? [:]).filter { !$0.value.isEmpty }) { first, _ in first }
            }
        }
    }

    public init(from decoder: any Decoder) throws {
        total = try EngageLabFunnel(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        plan = try container.decodeIfPresent(String.self, forKey: .plan).flatMap { $0.isEmpty ? nil : $0 }
        let kinds = try container.decodeIfPresent([String: Lenient<EngageLabFunnel>].self, forKey: .sub) ?? [:]
        self.kinds = kinds.compactMapValues(\.value).filter { !$0.value.isEmpty }
        let parts = try container.decodeIfPresent([String: Lenient<Channels>].self, forKey: .sub)
        channels = parts?["notification"]?.value?.all ?? [:]
        guard !total.isEmpty || !self.kinds.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: .sub, in: container, debugDescription: "no count at all")
        }
    }
}

/// The status of a message on one device.
public struct EngageLabFate: Sendable, Hashable {
    /// The message.
    public let message: MessageID
    /// The device.
    public let device: DeviceID
    /// The vendor's word, such as `sent`, `delivered` or `failed`. No page lists them all.
    public let status: String?
    /// The vendor's number for a failure. No page explains it; 0 and nil mean no failure.
    public let errorCode: Int?
    /// The vendor's message about a failure.
    public let errorText: String?
    /// The time of the status, in seconds since 1970.
    public let time: Int?
    /// The vendor's word for the channel.
    public let channel: String?
}

/// A time unit of the vendor's user report.
public enum EngageLabTimeUnit: String, Sendable, Hashable {
    /// Hours of today.
    case hour = "HOUR"
    /// Days.
    case day = "DAY"
    /// Months.
    case month = "MONTH"
}

/// Users of an app in one hour, day or month.
public struct EngageLabUserCount: Sendable, Hashable {
    /// Counts for one platform.
    public struct Counts: Sendable, Hashable, Decodable {
        /// Users that were new in the period.
        public let new: Int?
        /// Users that opened the app.
        public let active: Int?
        /// Users that were connected.
        public let online: Int?
    }

    /// The hour, day or month, in the vendor's form.
    public let time: String
    /// The counts by the vendor's words: `android`, `ios`, `hmos`.
    public let platforms: [String: Counts]
}

extension EngageLab {
    /// `GET /v4/status/detail`: reads statistics of at most 100 messages of the last month. The result omits messages
    /// that the vendor does not know.
    public func readStatistics(
        of messages: [MessageID]
    ) throws(PushError) -> Exchange<[MessageID: EngageLabStatistics]> {
        api.call(.engageLabReadStatistics, try detailRequest(messages), checking: Self.inputs(messages)) {
            (response) throws(PushError) in
            try Self.statistics(response)
        }
    }

    /// `GET /v4/status/message`: reads the status of one message on some devices.
    public func readFates(of message: MessageID, on devices: [DeviceID]) throws(PushError) -> Exchange<[EngageLabFate]>
    {
        try checkMessageID(message)
        guard !devices.isEmpty else { throw PushError(.invalidArgument, "the list of devices is empty") }
        let query = [
            QueryItem("message_id", message.rawValue),
            QueryItem("registration_ids", devices.map(\.rawValue).joined(separator: ",")),
        ]
        return api.call(
            .engageLabReadFates, WireRequest(.get, .engageLab, path: ["status", "message"], query: query),
            checking: [.devices(devices)]
        ) { (response) throws(PushError) in
            try response.json([String: FateRow].self).sorted { $0.key < $1.key }.map { device, row in
                row.fate(message, DeviceID(device))
            }
        }
    }

    /// `GET /v4/status/batch/message`: reads the status of some messages on each of their targets.
    public func readFates(of messages: [MessageID]) throws(PushError) -> Exchange<[EngageLabFate]> {
        let request = try idsRequest(["status", "batch", "message"], messages)
        return api.call(.engageLabReadFates, request) { (response) throws(PushError) in
            struct Row: Decodable {
                var message: WireText
                var device: DeviceID
                var row: FateRow

                private enum CodingKeys: String, CodingKey {
                    case message = "message_id"
                    case device = "registration_id"
                }

                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    message = try container.decode(WireText.self, forKey: .message)
                    device = try container.decode(DeviceID.self, forKey: .device)
                    row = try FateRow(from: decoder)
                }
            }
            return try response.json([Row].self).map { $0.row.fate(MessageID($0.message.text), $0.device) }
        }
    }

    /// `GET /v4/status/users`: reads the app's users in consecutive hours, days or months from a start.
    ///
    /// The vendor does not document its ranges. They are said to be hours of today only, at most 60 days or 2 months.
    /// - Parameters:
    ///   - unit: the time unit.
    ///   - start: `2026-11-20 09`, `2026-11-20` or `2026-11`, depending on the unit.
    ///   - count: the number of units.
    public func readUsers(
        by unit: EngageLabTimeUnit, from start: String, count: Int
    ) throws(PushError) -> Exchange<[EngageLabUserCount]> {
        guard count >= 1, !start.isEmpty else {
            throw PushError(.invalidArgument, "a user report needs a start, and a count from 1")
        }
        let span: [QueryItem] = .span(unit.rawValue, from: start, count: count)
        return api.call(.engageLabReadUsers, WireRequest(.get, .engageLab, path: ["status", "users"], query: span)) {
            (response) throws(PushError) in
            try UserRow.rows(response).map { EngageLabUserCount(time: $0.time, platforms: $0.platforms) }
        }
    }

    // MARK: Requests

    func detailRequest(_ messages: [MessageID]) throws(PushError) -> WireRequest {
        try idsRequest(["status", "detail"], messages)
    }

    static func inputs(_ messages: [MessageID]) -> [Input] {
        [.count(messages.count, .messagesPerReport, "the messages of a report")]
    }

    static func statistics(_ response: WireResponse) throws(PushError) -> [MessageID: EngageLabStatistics] {
        let rows = try response.json([String: StatisticsRow].self).compactMapValues(\.value)
        return Dictionary(rows.map { (MessageID($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private func idsRequest(_ path: [PathSegment], _ messages: [MessageID]) throws(PushError) -> WireRequest {
        guard !messages.isEmpty else { throw PushError(.invalidArgument, "the list of message ids is empty") }
        for message in messages { try checkMessageID(message) }
        let ids = messages.map(\.rawValue).joined(separator: ",")
        return WireRequest(.get, .engageLab, path: path, query: [QueryItem("message_ids", ids)])
    }
}

/// Statistics, or nil for an object without any count. The vendor does not document how it reports an unknown message.
struct StatisticsRow: Decodable {
    let value: EngageLabStatistics?

    init(from decoder: any Decoder) throws {
        // A value that is not an object is not from the vendor.
        _ = try decoder.singleValueContainer().decode([String: JSONValue].self)
        value = try? EngageLabStatistics(from: decoder)
    }
}

/// The parts of a message's status that the vendor reports.
private struct FateRow: Decodable {
    var status: String?
    var errorCode: Int?
    var errorText: String?
    var time: Int?
    var channel: String?

    private enum CodingKeys: String, CodingKey {
        case status, channel
        case errorCode = "error_code"
        case errorText = "error_message"
        case time = "itime"
    }

    func fate(_ message: MessageID, _ device: DeviceID) -> EngageLabFate {
        EngageLabFate(
            message: message, device: device, status: status, errorCode: errorCode == 0 ? nil : errorCode,
            errorText: errorText.flatMap { $0.isEmpty ? nil : $0 }, time: time, channel: channel)
    }
}
