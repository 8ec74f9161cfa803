import FCMSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Paths, hosts, faults, the delivery report, and the requests of the vendor's own libraries: S1 and S27.
@Suite("FCM simulator: server")
struct FCMSimulatorServerTests {
    private typealias Firebase = SimulatedFirebase
    private static let send = "/v1/projects/shop/messages:send"
    private static let topics = "/v1/projects/shop/registrations/x/topicSubscriptions"

    @Test(
        "S1: paths and methods that the vendor does not have get a page",
        arguments: [
            (HTTPRequest.Method.post, "/batch"), (.post, "/fcm/send"), (.post, "/fcm/notification"), (.post, "/v1/x"),
            (.get, "/"), (.get, send), (.post, "/v1/projects/shop/messages"), (.put, topics), (.post, topics + "/a"),
            (.get, "/iid/v1:batchAdd"), (.get, "/token"), (.post, "/v1/projects/%zz/messages:send"),
            (.post, "/v2/projects/shop/messages:send"), (.get, topics + "/a/b"),
        ])
    func unknownPaths(method: HTTPRequest.Method, path: String) async {
        let answer = await Firebase().ask(method, path, body: "{}")
        #expect(answer.status == 404)
        #expect(answer.headers[.contentType] == "text/html; charset=UTF-8")
        #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(
        "a host of the vendor has its own paths only, and every other host has all",
        arguments: [
            ("fcm.googleapis.com", 401), ("FCM.googleapis.com", 401), ("fcm.mtls.googleapis.com", 401),
            ("localhost", 401), ("", 401), ("iid.googleapis.com", 404), ("oauth2.googleapis.com", 404),
        ])
    func hosts(host: String, status: Int) async {
        #expect(await Firebase().plain(.post, Self.send, host: host, body: "{}").status == status)
    }

    @Test("the addresses have the vendor's names")
    func addresses() {
        let addresses = Firebase().simulator.addresses(at: "https://localhost:1")
        #expect(addresses["fcm"] == "https://localhost:1")
        #expect(addresses["iid"] == "https://localhost:1")
        #expect(addresses["fcmdata"] == "https://localhost:1")
        #expect(addresses["token_uri"] == "https://localhost:1/token")
    }

    // MARK: Faults

    private static func request(_ method: HTTPRequest.Method, _ path: String) -> SimulatedRequest {
        SimulatedRequest(method: method, path: path, query: "", headers: [:], body: [])
    }

    @Test("S27: internal errors have the vendor's codes")
    func failures() {
        let simulator = Firebase { _, _, settings in settings.retryAfter = 30 }.simulator
        func failed(_ status: Int, _ request: SimulatedRequest) -> Firebase.Answer {
            Firebase.Answer(simulator.failed(status: status, for: request))
        }
        let send = Self.request(.post, Self.send)
        let internalError = failed(500, send)
        #expect(internalError.status == 500)
        #expect(
            internalError.json
                == Envelope.error(500, "INTERNAL", "Internal error encountered.", [Envelope.code("INTERNAL")]))
        #expect(internalError.headers[.retryAfter] == nil)
        let unavailable = failed(503, send)
        let text = "The service is currently unavailable."
        #expect(unavailable.json == Envelope.error(503, "UNAVAILABLE", text, [Envelope.code("UNAVAILABLE")]))
        #expect(unavailable.headers[.retryAfter] == "30")
        let gateway = failed(502, send)
        #expect(gateway.status == 502)
        #expect(gateway.headers[.contentType] == "text/html; charset=UTF-8")
        #expect(failed(504, send).error?["status"] == "DEADLINE_EXCEEDED")
        #expect(failed(503, Self.request(.get, Self.topics)).json == Envelope.error(503, "UNAVAILABLE", text))
        #expect(failed(500, Self.request(.post, "/iid/v1:batchAdd")).json == ["error": "Internal error encountered."])
        let token = failed(500, Self.request(.post, "/token"))
        #expect(token.status == 500)
        #expect(
            token.json == ["error": "internal_failure", "error_description": "Internal error encountered."])
        #expect(failed(503, Self.request(.post, "/token")).json["error"] == "temporarily_unavailable")
    }

    @Test("a throttle has the form of its family, and a moment only if it gets one")
    func throttles() {
        let simulator = Firebase { _, _, settings in settings.retryAfter = 30 }.simulator
        func throttled(_ reset: Int?, _ request: SimulatedRequest) -> Firebase.Answer {
            Firebase.Answer(simulator.throttled(reset: reset, for: request))
        }
        for path in [Self.send, "/v1/projects/42/messages:send"] {
            let answer = throttled(nil, Self.request(.post, path))
            #expect(answer.status == 429)
            #expect(answer.headers[.retryAfter] == nil)
            let detail = answer.error?["details"]?.arrayValue?.first
            #expect(detail?["reason"] == "RATE_LIMIT_EXCEEDED")
            #expect(detail?["metadata"]?["consumer"] == "projects/42")
            #expect(detail?["metadata"]?["quota_limit_value"] == "600000")
        }
        let topics = throttled(7, Self.request(.get, Self.topics))
        #expect(topics.headers[.retryAfter] == "7")
        #expect(topics.error?["status"] == "RESOURCE_EXHAUSTED")
        #expect(topics.error?["details"] == nil)
        #expect(throttled(nil, Self.request(.post, "/iid/v1:batchAdd")).error?.stringValue?.isEmpty == false)
        #expect(throttled(nil, Self.request(.post, "/token")).json["error"] == "temporarily_unavailable")
    }

    // MARK: Report

    @Test("the report has the rows of one app, in pages, with counts as text")
    func report() async {
        let firebase = Firebase { shop, _, _ in
            shop.deliveries = [
                FCMDeliveryRow(
                    app: "app", day: (2026, 11, 19), label: "sale", accepted: 5_000_000_000,
                    outcomes: ["delivered": 90.5]
                ),
                FCMDeliveryRow(app: "other", day: (2026, 11, 19), accepted: 1),
                FCMDeliveryRow(app: "app", day: (2026, 11, 18), accepted: 2),
            ]
        }
        let path = "/v1beta1/projects/shop/androidApps/app/deliveryData"
        let first = await firebase.ask(.get, path, query: "pageSize=1")
        let rows: JSONValue = [
            [
                "appId": "app", "date": ["year": 2026, "month": 11, "day": 19], "analyticsLabel": "sale",
                "data": [
                    "countMessagesAccepted": "5000000000",
                    "messageOutcomePercents": ["delivered": .number(Decimal(90.5))],
                ],
            ]
        ]
        #expect(first.json["androidDeliveryData"] == rows)
        let token = first.json["nextPageToken"]?.stringValue ?? ""
        let second = await firebase.ask(.get, path, query: "pageSize=1&pageToken=\(token)")
        #expect(second.json["androidDeliveryData"]?.arrayValue?.map { $0["date"]?["day"] } == [18])
        #expect(second.json["nextPageToken"] == nil)
        let none = await firebase.ask(.get, "/v1beta1/projects/shop/androidApps/none/deliveryData")
        #expect(none.json == [:])
    }

    // MARK: Official libraries

    @Test(
        "requests of the vendor's libraries are accepted",
        arguments: [
            ["X-GOOG-API-FORMAT-VERSION": "2", "X-Firebase-Client": "fire-admin-go/4.22.0"],
            ["X-Firebase-Client": "fire-admin-node/14.5.1", "access_token_auth": "true"],
            ["x-goog-api-client": "gl-python/3.12 fire-admin/7.5.0", "X-GOOG-API-FORMAT-VERSION": "2"],
        ])
    func libraries(headers: [String: String]) async {
        let firebase = Firebase()
        var headers = headers
        headers["Content-Type"] = "application/json; charset=UTF-8"
        let body = ##"""
            {"validate_only":false,"message":{"token":"\##(Firebase.android)","notification":{"title":"T","body":"B"},
            "android":{"ttl":"3600.000000001s","priority":"high","notification":{"color":"#112233",
            "event_time":"2026-11-20T00:00:00.000000Z","notification_priority":"PRIORITY_MAX"}},
            "apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"mutable-content":1,"badge":1},"k":{"a":[1]}}},
            "webpush":{"headers":{"TTL":"60"},"fcm_options":{"link":"https://example.com"}}}}
            """##
        let sent = await firebase.ask(.post, Self.send, query: "$.xgafv=2&alt=json", body: body, headers: headers)
        #expect(sent.status == 200, "\(sent.text)")
        #expect(await firebase.inbox(Firebase.android).map(\.alert) == ["B"])
        let base = "/v1/projects/shop/registrations/\(Firebase.android)/topicSubscriptions"
        let added = await firebase.ask(.post, base, query: "topic_name=a", body: "{}", headers: headers)
        #expect(added.status == 200)
        let removed = await firebase.ask(.delete, base + "/a", query: "allow_missing=true", headers: headers)
        #expect(removed.json == [:])
    }
}
