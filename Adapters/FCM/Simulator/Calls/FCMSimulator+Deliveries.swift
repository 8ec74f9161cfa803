import FoundationEssentials
import PushAdapter
import PushSimulation

extension FCMSimulator {
    /// The delivery report of one Android app, from the rows given to the project.
    func deliveries(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let project = try project(call, .deliveries)
        let rows = (projects[project]?.project.deliveries ?? []).filter { $0.app == call["app"] }
        let page = try Page(call.request, Rules.rowsPerPage, of: rows)
        var fields: [String: JSONValue] = [:]
        if !page.items.isEmpty { fields["androidDeliveryData"] = .array(page.items.map(\.json)) }
        if let next = page.next { fields["nextPageToken"] = .string(next) }
        return .json(.object(fields))
    }
}

extension FCMDeliveryRow {
    /// The row in the vendor's form, with a long count as text.
    fileprivate var json: JSONValue {
        let date: [String: JSONValue] = [
            "year": JSONValue(day.year), "month": JSONValue(day.month),
            "day": JSONValue(day.day),
        ]
        var fields: [String: JSONValue] = [
            "appId": .string(app), "date": .object(date),
            "data": [
                "countMessagesAccepted": .string(String(accepted)),
                "messageOutcomePercents": .object(outcomes.mapValues { .number(Decimal($0)) }),
            ],
        ]
        if let label { fields["analyticsLabel"] = .string(label) }
        return .object(fields)
    }
}
