public import PushAdapter

extension Feature {
    static let fcmReadDeliveryData: Feature = "fcm.deliveries.read"
}

/// The outcomes of one day's messages: one app, and one analytics label or none.
public struct FCMDeliveryData: Sendable, Hashable {
    /// The day in Los Angeles, such as `2026-11-22`.
    public let day: String
    /// The analytics label; nil for messages without one.
    public let label: String?
    /// Messages that the vendor accepted; nil if it does not say.
    public let accepted: Int?
    /// Outcomes in percent, under the vendor's names: `delivered`, `pending`, `droppedDeviceInactive` and others.
    public let outcomes: [String: Double]
    /// Causes of slow delivery in percent, under the vendor's names.
    public let performance: [String: Double]
    /// Other figures of the vendor in percent, such as `priorityLowered`.
    public let insights: [String: Double]
}

/// A page of the delivery report.
public struct FCMDeliveryPage: Sendable, Hashable {
    /// The rows, in the vendor's order.
    public let rows: [FCMDeliveryData]
    /// The token of the next page; nil on the last page.
    public let nextToken: String?
}

extension FCM {
    /// `GET /v1beta1/projects/{project}/androidApps/{app}/deliveryData`: counts by day and label, some days late, for
    /// devices whose users share such data. Android only. The account needs the role for it.
    /// - Parameters:
    ///   - app: the Firebase id of the Android app, such as `1:1234567890:android:321abc456def7890`.
    ///   - size: the number of rows per page, 1 to 10,000.
    ///   - token: `nextToken` of the previous page; nil for the first page.
    public func readDeliveryData(
        ofApp app: String, size: Int = 1000, after token: String? = nil
    ) throws(PushError) -> Exchange<FCMDeliveryPage> {
        guard (1...10_000).contains(size) else {
            throw PushError(.invalidArgument, "the size of a page is \(size); give 1 to 10000")
        }
        let query = [QueryItem("pageSize", String(size))] + (token.map { [QueryItem("pageToken", $0)] } ?? [])
        let request = WireRequest(
            .get, .fcmData,
            path: ["projects", .literal(projectID), "androidApps", .value(app), "deliveryData"], query: query)
        return Exchange(
            .fcmReadDeliveryData, request, inputs: [.text(app, "fcm.app", "the id of the app")],
            credential: .account, idempotency: .idempotent
        ) { (response) throws(PushError) in
            let reply = try response.json(DeliveryReply.self)
            let rows = try (reply.androidDeliveryData ?? []).map { (row) throws(PushError) in try row.value() }
            return FCMDeliveryPage(rows: rows, nextToken: reply.nextPageToken)
        }
    }
}

private struct DeliveryReply: Decodable {
    struct Row: Decodable {
        struct Day: Decodable {
            var year: Int
            var month: Int
            var day: Int
        }
        struct Counts: Decodable {
            var countMessagesAccepted: JSONValue?
            var messageOutcomePercents: [String: Double]?
            var deliveryPerformancePercents: [String: Double]?
            var messageInsightPercents: [String: Double]?
        }

        var date: Day
        var analyticsLabel: String?
        var data: Counts?

        func value() throws(PushError) -> FCMDeliveryData {
            // The vendor writes a long number as a text.
            let accepted = data?.countMessagesAccepted?.identifier.flatMap { Int($0) }
            guard data?.countMessagesAccepted == nil || accepted != nil else {
                throw PushError(unreadable: "the number of accepted messages is no number")
            }
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
            return FCMDeliveryData(
                day: "\(date.year)-\(two(date.month))-\(two(date.day))", label: analyticsLabel,
                accepted: accepted,
                outcomes: data?.messageOutcomePercents ?? [:],
                performance: data?.deliveryPerformancePercents ?? [:],
                insights: data?.messageInsightPercents ?? [:])
        }
    }

    var androidDeliveryData: [Row]?
    var nextPageToken: String?
}
