import JiguangDialect
public import PushAdapter

/// A push plan: a name under which the vendor counts messages. Set it as `businessOperationCode` of ``JPushOptions``.
public struct JPushPlan: Sendable, Hashable, Decodable {
    /// The plan's name. Messages carry it as `businessOperationCode`, and updates find the plan by it.
    public let name: String
    /// The plan's purpose, in your own words; nil if the vendor omits it.
    public let description: String?
    /// The number of pushes under the plan so far; nil if the vendor omits it.
    public let pushCount: Int?

    /// When the plan was created, in the vendor's form.
    public let createdAt: String?
    /// When a message last used the plan, in the vendor's form.
    public let lastUsedAt: String?
    /// 0 for a plan created by ``JPush/createPlan(_:description:)``, 1 for one created in the console.
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
    /// `POST /v3/push_plan/create`: creates a plan. An app has at most 1000. Needs a contract.
    public func createPlan(_ name: String, description: String) throws(PushError) -> Exchange<Void> {
        try changePlan(.jpushCreatePlan, .post, "create", name, description, .unkeyed)
    }

    /// `PUT /v3/push_plan/update`: changes a plan's description.
    public func updatePlan(_ name: String, description: String) throws(PushError) -> Exchange<Void> {
        try changePlan(.jpushUpdatePlan, .put, "update", name, description, .idempotent)
    }

    /// `GET /v3/push_plan/list`: lists a page of plans.
    /// - Parameters:
    ///   - text: lists only plans with this text in the name or description.
    ///   - page: the page, from 1.
    ///   - pageSize: plans per page.
    public func listPlans(
        containing text: String? = nil, page: Int = 1, pageSize: Int = 50
    ) throws(PushError) -> Exchange<Page<JPushPlan>> {
        guard page >= 1, pageSize >= 1 else {
            throw PushError(.invalidArgument, "page \(page) with size \(pageSize): both start at 1")
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
        return api.call(
            .jpushListPlans,
            WireRequest(
                .get, .jpushPlans, path: ["list"], query: query + (text.map { [QueryItem("info", $0)] } ?? []))
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
        let body = WireBody.json(["name": .string(name), "description": .string(description)])
        return api.call(
            operation, WireRequest(method, .jpushPlans, path: [word], body: body), idempotency
        ) { (response) throws(PushError) in _ = try response.json() }
    }
}
