import FCMSimulator
import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// Permissions and rates of callers: checks S2 to S8.
@Suite("FCM simulator: access")
struct FCMSimulatorAccessTests {
    private typealias Firebase = SimulatedFirebase
    private static let path = "/v1/projects/shop/messages:send"
    private static let body = #"{"message":{"topic":"a"}}"#
    private static let rest = "Expected OAuth 2 access token, login cookie or other valid authentication credential."

    @Test("S2: no access token")
    func noBearer() async {
        let answer = await Firebase().plain(.post, Self.path, body: Self.body)
        let metadata: JSONValue = [
            "method": "google.firebase.fcm.v1.FcmService.SendMessage", "service": "fcm.googleapis.com",
        ]
        let expected = Envelope.error(
            401, "UNAUTHENTICATED", "Request is missing required authentication credential. \(Self.rest)",
            [Envelope.reason("CREDENTIALS_MISSING", metadata)])
        #expect(answer.status == 401)
        #expect(answer.json == expected)
    }

    @Test(
        "S3: an unknown access token, and other schemes", arguments: ["Bearer ya29.x", "Basic YTpi", "Bearer", "key=x"])
    func unknownBearer(value: String) async {
        let answer = await Firebase().plain(
            .post, Self.path, body: Self.body, headers: ["Authorization": value])
        let text = "Request had invalid authentication credentials. \(Self.rest)"
        #expect(answer.status == 401)
        #expect(answer.json == Envelope.error(401, "UNAUTHENTICATED", text))
    }

    @Test("S4: an access token that has expired by the clock, or was ended early")
    func expiredBearer() async {
        let firebase = Firebase()
        #expect(await firebase.send(#""topic":"a""#).status == 200)
        firebase.pass(3598)
        #expect(await firebase.send(#""topic":"a""#).status == 200)
        firebase.pass(1)
        let expected = Envelope.error(
            401, "UNAUTHENTICATED", "Request had invalid authentication credentials. \(Self.rest)",
            [Envelope.reason("ACCESS_TOKEN_EXPIRED", ["service": "fcm.googleapis.com"])])
        #expect(await firebase.send(#""topic":"a""#).json == expected)
        await firebase.signIn()
        #expect(await firebase.send(#""topic":"a""#).status == 200)
        await firebase.simulator.expireAccessTokens()
        #expect(await firebase.send(#""topic":"a""#).json == expected)
        #expect(await firebase.simulator.exchangeCount == 2)
    }

    @Test("S5: a scope that does not cover messages; the report needs the scope of the whole platform")
    func scopes() async {
        let firebase = Firebase()
        await firebase.signIn(scopes: "https://www.googleapis.com/auth/drive")
        let expected = Envelope.error(
            403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.",
            [Envelope.reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT", ["service": "fcm.googleapis.com"])])
        #expect(await firebase.send(#""topic":"a""#).json == expected)
        await firebase.signIn(scopes: Firebase.messaging)
        #expect(await firebase.send(#""topic":"a""#).status == 200)
        let report = "/v1beta1/projects/shop/androidApps/1:42:android:a/deliveryData"
        #expect(await firebase.ask(.get, report).status == 403)
        await firebase.signIn()
        #expect(await firebase.ask(.get, report).status == 200)
    }

    @Test("S6: the API is disabled")
    func disabled() async {
        let firebase = Firebase()
        await firebase.simulator.setAPI(isEnabled: false, in: "shop")
        let answer = await firebase.send(#""topic":"a""#)
        #expect(answer.status == 403)
        #expect(answer.error?["status"] == "PERMISSION_DENIED")
        let start = "Firebase Cloud Messaging API has not been used in project 42 before or it is disabled."
        #expect(answer.error?["message"]?.stringValue?.hasPrefix(start) == true)
        let details = answer.error?["details"]?.arrayValue ?? []
        #expect(
            details.map { $0["@type"] } == [
                "type.googleapis.com/google.rpc.ErrorInfo", "type.googleapis.com/google.rpc.Help",
            ])
        #expect(details.first?["reason"] == "SERVICE_DISABLED")
        #expect(details.first?["metadata"] == ["consumer": "projects/42", "service": "fcm.googleapis.com"])
        await firebase.simulator.setAPI(isEnabled: true, in: "shop")
        #expect(await firebase.send(#""topic":"a""#).status == 200)
    }

    @Test(
        "S7: a missing role, another project, and one that does not exist", arguments: ["shop", "bank", "43", "ghost"])
    func permission(project: String) async {
        let firebase = Firebase { _, account, _ in account.permissions["shop"] = [.manageTopics] }
        let answer = await firebase.send(#""topic":"a""#, project: project)
        let name = "cloudmessaging.messages.create"
        let text =
            "Permission '\(name)' denied on resource '//cloudresourcemanager.googleapis.com/projects/\(project)' "
            + "(or it may not exist)."
        let metadata: JSONValue = ["permission": .string(name), "resource": .string("projects/\(project)")]
        let expected = Envelope.error(
            403, "PERMISSION_DENIED", text, [Envelope.reason("IAM_PERMISSION_DENIED", metadata)])
        #expect(answer.json == expected)
    }

    @Test("every call for topics has its own permission")
    func topicPermissions() async {
        let firebase = Firebase { _, account, _ in account.permissions["shop"] = [.sendMessages] }
        let base = "/v1/projects/shop/registrations/\(Firebase.android)/topicSubscriptions"
        let calls: [(HTTPRequest.Method, String, String)] = [
            (.post, base, "create"), (.get, base, "list"), (.get, base + "/a", "get"), (.delete, base + "/a", "delete"),
            (.patch, base + "/a", "update"),
        ]
        for (method, path, name) in calls {
            let answer = await firebase.ask(method, path)
            let metadata = answer.error?["details"]?.arrayValue?.first?["metadata"]
            #expect(answer.status == 403)
            #expect(metadata?["permission"] == .string("cloudmessaging.topicSubscriptions.\(name)"))
        }
        await firebase.simulator.setPermissions([.manageTopics], of: Firebase.email, in: "shop")
        #expect(await firebase.ask(.get, base).status == 200)
    }

    @Test("an account may send for another project that gave it the role, and name a project by its number")
    func otherProject() async {
        let firebase = Firebase { _, account, _ in account.permissions["bank"] = [.sendMessages] }
        let answer = await firebase.send(#""token":"\#(Firebase.foreign)""#, project: "43")
        #expect(answer.json["name"]?.stringValue?.hasPrefix("projects/bank/messages/0:") == true)
        #expect(await firebase.inbox(Firebase.foreign).map(\.messageID) == [answer.messageID])
    }

    @Test("S8: the quota of a minute that begins with its first message")
    func quota() async {
        let firebase = Firebase { shop, _, _ in shop.sendsPerMinute = 3 }
        // Refused messages and dry runs count, too.
        #expect(await firebase.send(to: Firebase.ghost).status == 404)
        firebase.pass(30)
        #expect(await firebase.send(to: Firebase.ghost, isDryRun: true).status == 404)
        #expect(await firebase.send(#""topic":"a""#).status == 200)
        let answer = await firebase.send("not even read")
        let text =
            "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "
            + "'fcm.googleapis.com' for consumer 'project_number:42'."
        #expect(answer.status == 429)
        #expect(answer.headers[.retryAfter] == nil)
        #expect(answer.error?["message"] == .string(text))
        #expect(answer.error?["status"] == "RESOURCE_EXHAUSTED")
        let metadata: JSONValue = [
            "service": "fcm.googleapis.com", "consumer": "projects/42",
            "quota_metric": "fcm.googleapis.com/send_requests", "quota_limit": "SendsPerMinutePerProject",
            "quota_limit_value": "3", "quota_unit": "1/min/{project}", "quota_location": "global",
        ]
        let details = answer.error?["details"]?.arrayValue ?? []
        #expect(details.first == Envelope.reason("RATE_LIMIT_EXCEEDED", metadata))
        #expect(details.dropFirst().map { $0["@type"] } == ["type.googleapis.com/google.rpc.Help"])
        firebase.pass(29)
        #expect(await firebase.send(#""topic":"a""#).status == 429)
        firebase.pass(1)
        for status in [200, 200, 200, 429] { #expect(await firebase.send(#""topic":"a""#).status == status) }
    }

    @Test("switches of the quota: FcmError, Retry-After, free dry runs, topics that count; rate refusals are free")
    func quotaSwitches() async {
        let firebase = Firebase { shop, _, settings in
            shop.sendsPerMinute = 2
            settings.namesQuotaCode = true
            settings.retryAfter = 17
            settings.countsDryRuns = false
            settings.countsTopicCalls = true
            settings.deviceSendsPerMinute = 1
        }
        for _ in 0..<5 { #expect(await firebase.send(#""topic":"a""#, isDryRun: true).status == 200) }
        #expect(await firebase.send(to: Firebase.android).status == 200)
        for isDryRun in [false, true] {
            #expect(await firebase.send(to: Firebase.android, isDryRun: isDryRun).status == 429)
        }
        #expect(await firebase.subscribe(Firebase.android, "a") == 200)
        let answer = await firebase.send(#""topic":"a""#)
        #expect(answer.status == 429)
        #expect(answer.headers[.retryAfter] == "17")
        #expect(answer.error?["details"]?.arrayValue?.last == Envelope.code("QUOTA_EXCEEDED"))
    }
}
