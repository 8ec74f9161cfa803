import FoundationEssentials
import JiguangDialect
public import PushAdapter

/// A push plan: a name under which the vendor counts messages. Set it as `planID` of ``EngageLabOptions``.
public struct EngageLabPlan: Sendable, Hashable, Decodable {
    /// The id that messages carry.
    public let id: String
    /// The plan's purpose.
    public let description: String?
    /// The number of messages sent under the plan.
    public let count: Int?
    /// When the plan was created, in milliseconds since 1970.
    public let createdAt: Int?
    /// When a message last used the plan, in milliseconds since 1970.
    public let lastUsedAt: Int?

    private enum CodingKeys: String, CodingKey {
        case id = "plan_id"
        // The name in the Java library of 2026-01.
        case oldID = "push_id"
        case description = "plan_description"
        case count
        case createdAt = "create_time"
        case lastUsedAt = "last_used_time"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id =
            try container.decodeIfPresent(WireText.self, forKey: .id)?.text
            ?? container.decode(WireText.self, forKey: .oldID).text
        description = try container.decodeIfPresent(String.self, forKey: .description)
        count = try container.decodeIfPresent(Int.self, forKey: .count)
        createdAt = try container.decodeIfPresent(Int.self, forKey: .createdAt)
        lastUsedAt = try container.decodeIfPresent(Int.self, forKey: .lastUsedAt)
    }
}

/// Where a plan was created.
public enum EngageLabPlanOrigin: Int, Sendable, Hashable {
    /// Through this API.
    case api = 0
    /// In the console.
    case console = 1
}

extension EngageLab {
    /// `POST /v4/push_plan`: creates a plan, or changes the description of an existing one.
    public func setPlan(_ plan: String, description: String) throws(PushError) -> Exchange<Void> {
        try Self.check(plans: [plan])
        guard !description.isEmpty else { throw PushError(.invalidArgument, "the plan has no description") }
        let body = WireBody.json(["plan_description": .string(description), "plan_id": .string(plan)])
        return api.call(
            .engageLabSetPlan, WireRequest(.post, .engageLab, path: ["push_plan"], body: body), .unkeyed,
            checking: Self.inputs(plans: [plan]) + [
                .amount(description.unicodeScalars.count, .engageLabPlanDescription, "the plan's description")
            ]
        ) { (response) throws(PushError) in
            struct Reply: Decodable {
                var id: WireText
                private enum CodingKeys: String, CodingKey { case id = "plan_id" }
            }
            _ = try response.json(Reply.self)
        }
    }

    /// `GET /v4/push_plan/list`: lists a page of plans.
    /// - Parameters:
    ///   - origin: where the plans were created.
    ///   - text: lists only plans with this text in the description.
    ///   - page: the page, from 1.
    ///   - pageSize: plans per page, at most 100.
    public func listPlans(
        madeBy origin: EngageLabPlanOrigin = .api, containing text: String? = nil, page: Int = 1, pageSize: Int = 20
    ) throws(PushError) -> Exchange<Page<EngageLabPlan>> {
        guard page >= 1, (1...100).contains(pageSize) else {
            throw PushError(
                .invalidArgument, "page \(page) with size \(pageSize): give a page from 1 and a size of 1 to 100")
        }
        var query = [
            QueryItem("page_index", String(page)), QueryItem("page_size", String(pageSize)),
            QueryItem("send_source", String(origin.rawValue)),
        ]
        if let text { query.append(QueryItem("search_description", text)) }
        struct Reply: Decodable {
            var plans: [EngageLabPlan]
            var total: Int

            private enum CodingKeys: String, CodingKey {
                case total
                case plans = "push_plan_info"
            }
        }
        return api.call(
            .engageLabListPlans, WireRequest(.get, .engageLab, path: ["push_plan", "list"], query: query)
        ) { (response) throws(PushError) in
            let reply = try response.json(Reply.self)
            return Page(reply.plans, number: page, total: reply.total, size: pageSize)
        }
    }

    /// `DELETE /v4/push_plan/{plan_id}`, or `/batch/{ids}` for several: removes plans. Returns the plans that the
    /// vendor names as deleted, or all of them if it names none.
    public func removePlans(_ plans: [String]) throws(PushError) -> Exchange<[String]> {
        try Self.check(plans: plans)
        let ids = PathSegment.values(plans)
        return api.call(
            .engageLabRemovePlans,
            WireRequest(
                .delete, .engageLab, path: plans.count == 1 ? ["push_plan", ids] : ["push_plan", "batch", ids]),
            checking: Self.inputs(plans: plans)
        ) { (response) throws(PushError) in
            try api.done(response)
            let reply = try? response.json()
            let one = reply?["plan_id"]?.identifier.map { [$0] }
            return reply?["plan_ids"]?.arrayValue?.compactMap(\.identifier) ?? one ?? plans
        }
    }

    /// `GET /v4/status/plan/msg/`: reads the messages that plans sent between two days. The first day is at most 30
    /// days ago.
    /// - Parameters:
    ///   - plans: at most 1000.
    ///   - start: the first day, `yyyy-MM-dd`.
    ///   - end: the last day, at most 31 days later.
    public func readMessages(
        ofPlans plans: [String], from start: String, to end: String
    ) throws(PushError) -> Exchange<[String: [MessageID]]> {
        struct Row: Decodable {
            var ids: [WireText]
            private enum CodingKeys: String, CodingKey { case ids = "msg_ids" }
        }
        // The vendor's path ends with a slash.
        let request = try planRequest(["status", "plan", "msg", ""], plans, start, end)
        return api.call(.engageLabReadPlanMessages, request, checking: Self.inputs(plans: plans)) {
            (response) throws(PushError) in
            try response.json([String: Row].self).mapValues { row in row.ids.map { MessageID($0.text) } }
        }
    }

    /// `GET /v4/status/plan/detail`: reads the counts for messages of plans between two days. The limits of
    /// ``readMessages(ofPlans:from:to:)`` apply.
    public func readStatistics(
        ofPlans plans: [String], from start: String, to end: String
    ) throws(PushError) -> Exchange<[String: EngageLabStatistics]> {
        let request = try planRequest(["status", "plan", "detail"], plans, start, end)
        return api.call(.engageLabReadPlanStatistics, request, checking: Self.inputs(plans: plans)) {
            (response) throws(PushError) in
            try response.json([String: StatisticsRow].self).compactMapValues(\.value)
        }
    }

    private func planRequest(
        _ path: [PathSegment], _ plans: [String], _ start: String, _ end: String
    ) throws(PushError) -> WireRequest {
        try Self.check(plans: plans)
        let clock = try WallClock(.zero)
        guard let first = clock.date(start + " 00:00:00"), let last = clock.date(end + " 00:00:00"),
            (0...31 * 86_400).contains(last.timeIntervalSince(first))
        else {
            throw PushError(
                .invalidArgument, "write the days as 2026-11-20, the last 0 to 31 days after the first")
        }
        let query = [
            QueryItem("plan_ids", plans.joined(separator: ",")), QueryItem("start_date", start),
            QueryItem("end_date", end),
        ]
        return WireRequest(.get, .engageLab, path: path, query: query)
    }

    static func inputs(plans: [String]) -> [Input] {
        [.count(plans.count, .engageLabPlansPerCall, "the plans")]
            + plans.map { .text($0, .engageLabPlanID, "the plan's id") }
    }

    /// Refuses a plan id that begins with `_`. Elsewhere in the id, `_` is allowed.
    static func check(plans: [String]) throws(PushError) {
        guard plans.allSatisfy({ $0.first != "_" }) else {
            throw PushError(.invalidArgument, "a plan id must not begin with _")
        }
    }
}
