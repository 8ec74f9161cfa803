public import PushCore

/// A push plan: a name that messages are counted under, by `businessOperationCode` of ``JPushOptions``.
public struct JPushPlan: Sendable, Hashable, Decodable {
    /// What messages carry as `businessOperationCode`, and what an update finds the plan by.
    public let name: String
    /// What the plan is for, in your own words; nil where the vendor leaves it out.
    public let description: String?
    /// How many pushes were sent under the plan so far; nil where the vendor leaves it out.
    public let pushCount: Int?

    /// When it was made, as the vendor writes it.
    public let createdAt: String?
    /// When a message last went under it, as the vendor writes it.
    public let lastUsedAt: String?
    /// 0 for one that was made by this call, 1 for one of the console.
    public let origin: Int?

    private enum CodingKeys: String, CodingKey {
        case name, description
        case pushCount = "push_count"
        case createdAt = "create_time"
        case lastUsedAt = "last_used_time"
        case origin = "send_source"
    }
}

extension JPush {
    /// `POST /v3/push_plan/create`. An app has at most 1000. Needs a contract.
    public func createPlan(_ name: String, description: String) throws(PushError) -> Exchange<Void> {
        try changePlan(.jpushCreatePlan, .post, "create", name, description, .unkeyed)
    }

    /// `PUT /v3/push_plan/update`: a plan's description.
    public func updatePlan(_ name: String, description: String) throws(PushError) -> Exchange<Void> {
        try changePlan(.jpushUpdatePlan, .put, "update", name, description, .idempotent)
    }

    /// `GET /v3/push_plan/list`: a page of plans, from 1.
    /// - Parameters:
    ///   - text: only plans whose name or description has it.
    ///   - page: from 1.
    ///   - pageSize: plans on a page.
    public func listPlans(
        containing text: String? = nil, page: Int = 1, pageSize: Int = 50
    ) throws(PushError) -> Exchange<Page<JPushPlan>> {
        guard page >= 1, pageSize >= 1 else {
            throw PushError(.invalidArgument, "page \(page) of \(pageSize): pages and their size begin with 1")
        }
        struct Reply: Decodable {
            struct Part: Decodable {
                var total: Int
                var page: Int
                var size: Int?
                var detail: [JPushPlan]

                enum CodingKeys: String, CodingKey {
                    case total, page, detail
                    case size = "page_size"
                }
            }
            var data: Part
        }
        let query = [QueryItem("page", String(page)), QueryItem("page_size", String(pageSize))]
        return call(
            .jpushListPlans,
            WireRequest(
                .get, .jpushPlans, path: ["list"], query: query + (text.map { [QueryItem("info", $0)] } ?? [])),
            .idempotent, from: .jpushPush
        ) { (response) throws(PushError) in
            let part = try response.json(Reply.self).data
            return Page(part.detail, number: part.page, total: part.total, size: part.size ?? pageSize)
        }
    }

    private func changePlan(
        _ operation: Feature, _ method: HTTPRequest.Method, _ word: PathSegment, _ name: String, _ description: String,
        _ idempotency: Idempotency
    ) throws(PushError) -> Exchange<Void> {
        guard !name.isEmpty else { throw PushError(.invalidArgument, "the plan has no name; give it one") }
        let body = Self.json(["name": .string(name), "description": .string(description)])
        return call(
            operation, WireRequest(method, .jpushPlans, path: [word], body: body), idempotency, from: .jpushPush
        ) { (response) throws(PushError) in _ = try response.json() }
    }
}
