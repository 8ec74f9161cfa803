public import PushAdapter

/// The vendor's record of a push.
public struct TPNSPushRecord: Sendable, Hashable, Decodable {
    /// The push.
    public let message: MessageID
    /// When the push was sent, on the vendor's clock.
    public let date: String?
    /// `PUSH_INIT`, `PUSH_WAIT`, `PUSH_STARTED`, `PUSH_FINISHED`, `PUSH_FAILED`, `PUSH_CANCELED`, `PUSH_DELETED`,
    /// `PUSH_REVOKED`, `PUSH_COLLAPSED` or `PUSH_DELETED_PUSH_MSG`.
    public let status: String?
    /// The kind of audience.
    public let pushType: String?
    /// The number for `collapseID` of ``TPNSOptions``.
    public let collapseID: Int?
    /// All fields, in the vendor's form.
    public let fields: JSONValue

    private enum CodingKeys: String, CodingKey { case pushId, date, status, pushType, collapseID }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = MessageID(try container.decode(WireText.self, forKey: .pushId).text)
        date = try? container.decode(String.self, forKey: .date)
        status = try? container.decode(String.self, forKey: .status)
        pushType = try? container.decode(String.self, forKey: .pushType)
        collapseID = try? container.decode(Int.self, forKey: .collapseID)
        fields = try JSONValue(from: decoder)
    }
}

/// Selects pushes of a period.
public struct TPNSPushFilter: Sendable, Hashable {
    /// `notify` or `message`; nil for both.
    public var messageType: String?
    /// `all`, `tag`, `token` or `account`; nil for every kind.
    public var pushType: String?
    /// The number of pushes to skip.
    public var offset = 0
    /// The number of pushes to list, 1 to 200.
    public var limit = 200

    /// Selects the first 200 pushes of every kind.
    public init() {}
}

/// The figures of one day, by channel.
public struct TPNSDay: Sendable, Hashable {
    /// The day, in the vendor's form.
    public let date: String
    /// The funnels by channel.
    public let channels: [String: TPNSFunnel]
}

/// The devices of an app on one day.
public struct TPNSDeviceCount: Sendable, Hashable, Decodable {
    /// The day: 20261120.
    public let date: Int
    /// All devices.
    public let total: Int
    /// New devices.
    public let new: Int
    /// The maximum of devices that were online at the same time.
    public let online: Int

    private enum CodingKeys: String, CodingKey {
        case date
        case total = "accuUv"
        case new = "newUv"
        case online = "activeUv"
    }
}

/// How a distribution groups devices.
public enum TPNSDistribution: String, Sendable, Hashable, CaseIterable {
    /// By city.
    case city
    /// By province.
    case province
    /// By version of the app.
    case appVersion = "app_version"
    /// By version of the vendor's SDK.
    case sdkVersion = "sdk_version"
    /// By version of the system.
    case systemVersion = "system_version"
    /// By brand.
    case brand = "device_brand"
    /// By model.
    case model = "device_version"
}

/// A push of today that targeted a device.
public struct TPNSDevicePush: Sendable, Hashable {
    /// The push.
    public let message: MessageID
    /// The time of the push, in seconds since 1970.
    public let time: Int?
    /// The vendor's word for the kind of target, such as `TAG_PUSH`.
    public let kind: JSONValue?
}

extension TPNS {
    /// `POST /v3/statistics/get_push_record`: reads one push of the last month; nil if the vendor does not know it.
    public func readPush(_ message: MessageID) throws(PushError) -> Exchange<TPNSPushRecord?> {
        statistics(.tpnsReadPush, ["statistics", "get_push_record"], try pushBody(message)) {
            (response) throws(PushError) in
            try response.tpns(RecordReply.self).records.first { $0.message == message }
        }
    }

    /// `POST /v3/statistics/get_push_record`: reads the pushes of a period that begins within the last month.
    /// - Parameters:
    ///   - start: `2026-11-01`.
    ///   - end: `2026-11-20`.
    ///   - filter: selects the pushes.
    public func readPushes(
        from start: String, to end: String, _ filter: TPNSPushFilter = TPNSPushFilter()
    ) throws(PushError) -> Exchange<Page<TPNSPushRecord>> {
        try checkDays(start, end, TPNSClock.day)
        guard filter.offset >= 0, (1...200).contains(filter.limit) else {
            throw PushError(.invalidArgument, "an offset is 0 or more, a limit is 1 to 200")
        }
        let body = try object { json in
            json.field("endDate", end)
            json.field("limit", filter.limit)
            if let type = filter.messageType { json.field("msgType", type) }
            json.field("offset", filter.offset)
            if let type = filter.pushType { json.field("pushType", type) }
            json.field("startDate", start)
        }
        return statistics(.tpnsReadPushes, ["statistics", "get_push_record"], body) { (response) throws(PushError) in
            let reply = try response.tpns(RecordReply.self)
            let pages = reply.count.map { ($0 + filter.limit - 1) / filter.limit }
            return Page(reply.records, number: filter.offset / filter.limit + 1, of: pages)
        }
    }

    /// `POST /v3/statistics/get_push_task_stat_channel`: reads the funnels of a push of the last 30 days, by channel.
    /// `all` is their sum.
    public func readStatistics(of message: MessageID) throws(PushError) -> Exchange<[String: TPNSFunnel]> {
        statistics(
            .tpnsReadStatistics, ["statistics", "get_push_task_stat_channel"], try pushBody(message)
        ) { (response) throws(PushError) in try response.tpns(FunnelReply.self).funnels }
    }

    /// `POST /v3/statistics/get_push_group_stat_channel`: reads the funnels of a plan within the last 7 days, by
    /// channel.
    /// - Parameters:
    ///   - plan: the plan's id.
    ///   - start: `20261114`.
    ///   - end: `20261120`.
    public func readStatistics(
        ofPlan plan: String, from start: String, to end: String
    ) throws(PushError) -> Exchange<[String: TPNSFunnel]> {
        guard !plan.isEmpty else { throw PushError(.invalidArgument, "the plan id is empty; give one") }
        let body = try daysBody(start, end) { json in json.field("planId", plan) }
        return statistics(
            .tpnsReadPlanStatistics, ["statistics", "get_push_group_stat_channel"], body
        ) { (response) throws(PushError) in try response.tpns(FunnelReply.self).funnels }
    }

    /// `POST /v3/statistics/get_push_channel_stat_overview`: reads the app's funnels by day and channel, within the
    /// last 30 days.
    /// - Parameters:
    ///   - start: `20261101`.
    ///   - end: `20261120`.
    public func readDays(from start: String, to end: String) throws(PushError) -> Exchange<[TPNSDay]> {
        let body = try daysBody(start, end) { _ in }
        return statistics(
            .tpnsReadDays, ["statistics", "get_push_channel_stat_overview"], body
        ) { (response) throws(PushError) in
            struct Row: Decodable {
                var date: WireText
                var channelDatas: [ChannelRow]?
            }
            struct Body: Decodable {
                var pushDateChannelStat: [Row]?
            }
            return (try response.tpns(Body.self).pushDateChannelStat ?? []).map { row in
                let channels = (row.channelDatas ?? []).map { ($0.channel, $0.pushState) }
                return TPNSDay(date: row.date.text, channels: Dictionary(channels) { first, _ in first })
            }
        }
    }

    /// `POST /v3/statistics/get_device_stat_overview`: reads the app's devices by day, within the last three months.
    /// - Parameters:
    ///   - start: `20261101`.
    ///   - end: `20261120`.
    public func readDeviceCounts(from start: String, to end: String) throws(PushError) -> Exchange<[TPNSDeviceCount]> {
        let body = try daysBody(start, end) { _ in }
        return statistics(
            .tpnsReadDevicesByDay, ["statistics", "get_device_stat_overview"], body
        ) { (response) throws(PushError) in
            struct Body: Decodable {
                var getDeviceStatOverviewData: [TPNSDeviceCount]?
            }
            return try response.tpns(Body.self).getDeviceStatOverviewData ?? []
        }
    }

    /// `POST /v3/statistics/get_device_distribute_info`: reads the number of devices by group on a day of the last
    /// month.
    /// - Parameters:
    ///   - kind: the grouping of devices.
    ///   - date: `20261120`.
    public func readDistribution(
        by kind: TPNSDistribution, on date: String
    ) throws(PushError) -> Exchange<[String: Int]> {
        try checkDays(date, date, TPNSClock.plainDay)
        let body = try object { json in
            json.field("date", date)
            json.field("type", kind.rawValue)
        }
        return statistics(
            .tpnsReadDistribution, ["statistics", "get_device_distribute_info"], body
        ) { (response) throws(PushError) in
            struct Body: Decodable {
                var data: [[String: JSONValue]]?
            }
            var counts: [String: Int] = [:]
            for row in try response.tpns(Body.self).data ?? [] {
                guard let name = row[kind.rawValue]?.stringValue, let count = row["count"]?.intValue else {
                    throw PushError(
                        .malformedResponse, "a row of the distribution has no \(kind.rawValue) or no count",
                        effect: .unknown)
                }
                counts[name, default: 0] += count
            }
            return counts
        }
    }

    /// `POST /v3/toolbox/getPushListByToken`: reads the pushes of today that targeted a device.
    public func readPushes(to device: DeviceID) throws(PushError) -> Exchange<[TPNSDevicePush]> {
        let body = try object { json in json.field("token", device.rawValue) }
        return statistics(
            .tpnsReadPushesToDevice, ["toolbox", "getPushListByToken"], body, checking: [.devices([device])]
        ) { (response) throws(PushError) in
            struct Row: Decodable {
                var pushId: WireText
                var pushTime: Int?
                var pushTargetType: JSONValue?
            }
            struct Body: Decodable {
                var pushTaskList: [Row]?
            }
            return (try response.tpns(Body.self).pushTaskList ?? []).map { row in
                TPNSDevicePush(message: MessageID(row.pushId.text), time: row.pushTime, kind: row.pushTargetType)
            }
        }
    }

    private func statistics<Output>(
        _ operation: Feature, _ path: [PathSegment], _ body: WireBody, checking inputs: [Input] = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        call(operation, path, body, from: .tpnsStatistics, checking: inputs, decode: decode)
    }

    private func daysBody(
        _ start: String, _ end: String, _ more: (inout JSONWriter) -> Void
    ) throws(PushError) -> WireBody {
        try checkDays(start, end, TPNSClock.plainDay)
        return try object { json in
            json.field("endDate", end)
            more(&json)
            json.field("startDate", start)
        }
    }

    private func checkDays(_ start: String, _ end: String, _ pattern: String) throws(PushError) {
        guard TPNSClock.fits(start, pattern), TPNSClock.fits(end, pattern), start <= end else {
            let sample = pattern == TPNSClock.day ? "2026-11-20" : "20261120"
            throw PushError(.invalidArgument, "write days as \(sample), the earlier one first")
        }
    }
}

/// `{"pushRecordData": [...], "count"}`.
private struct RecordReply: Decodable {
    private var pushRecordData: [TPNSPushRecord]?
    var count: Int?

    var records: [TPNSPushRecord] { pushRecordData ?? [] }
}
