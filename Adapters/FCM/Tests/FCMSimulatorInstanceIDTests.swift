import FCMSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The older API for topics: check S30.
@Suite("FCM simulator: Instance ID")
struct FCMSimulatorInstanceIDTests {
    private typealias Firebase = SimulatedFirebase
    private static let header = ["access_token_auth": "true"]

    private static func batch(
        _ firebase: Firebase, _ verb: String, _ tokens: [String], to topic: String = "/topics/a"
    ) async -> Firebase.Answer {
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        return await firebase.ask(
            .post, "/iid/v1:\(verb)", body: #"{"to":"\#(topic)","registration_tokens":[\#(list)]}"#, headers: header)
    }

    @Test("each token has its own result, in order")
    func batches() async {
        let firebase = Firebase()
        let tokens = [Firebase.android, Firebase.ghost, "malformed", Firebase.foreign, Firebase.fid, Firebase.ios]
        let answer = await Self.batch(firebase, "batchAdd", tokens)
        #expect(answer.status == 200)
        let expected: JSONValue = [
            "results": [
                [:], ["error": "NOT_FOUND"], ["error": "INVALID_ARGUMENT"], ["error": "PERMISSION_DENIED"],
                ["error": "INVALID_ARGUMENT"], [:],
            ]
        ]
        #expect(answer.json == expected)
        #expect(await firebase.simulator.topics(of: Firebase.ios) == ["a"])
        let removal = await Self.batch(firebase, "batchRemove", [Firebase.ios, Firebase.web])
        #expect(removal.json == ["results": [[:], [:]]])
        #expect(await firebase.simulator.topics(of: Firebase.ios).isEmpty)
        #expect(await firebase.simulator.topics(of: Firebase.android) == ["a"])
    }

    @Test("limits are results of their tokens")
    func limits() async {
        let firebase = Firebase { _, _, settings in
            settings.topicsPerRegistration = 1
            settings.subscriptionChangesPerSecond = 3
        }
        let tokens = [Firebase.android, Firebase.ios, Firebase.web]
        #expect(await Self.batch(firebase, "batchAdd", tokens).json == ["results": [[:], [:], [:]]])
        firebase.pass(1)
        let answer = await Self.batch(firebase, "batchAdd", tokens + [Firebase.ios], to: "/topics/b")
        let full: JSONValue = ["error": "TOO_MANY_TOPICS"]
        #expect(answer.json == ["results": [full, full, full, ["error": "RESOURCE_EXHAUSTED"]]])
    }

    @Test("S30: a missing header, too many tokens, a topic without its prefix")
    func refusals() async {
        let firebase = Firebase()
        let body = #"{"to":"/topics/a","registration_tokens":["\#(Firebase.android)"]}"#
        let bare = await firebase.ask(.post, "/iid/v1:batchAdd", body: body)
        #expect(bare.status == 401)
        #expect(bare.error?.stringValue?.isEmpty == false)
        let anonymous = await firebase.plain(.post, "/iid/v1:batchAdd", body: body, headers: Self.header)
        #expect(anonymous.status == 401)
        #expect(anonymous.error?.stringValue?.isEmpty == false)
        #expect(await Self.batch(firebase, "batchAdd", Array(repeating: Firebase.ios, count: 1000)).status == 200)
        let many = await Self.batch(firebase, "batchAdd", Array(repeating: Firebase.ios, count: 1001))
        #expect(many.status == 400)
        #expect(many.error?.stringValue?.isEmpty == false)
        for topic in ["a", "/topics/", "/topics/a b", "topics/a"] {
            let answer = await Self.batch(firebase, "batchAdd", [Firebase.ios], to: topic)
            #expect(answer.status == 400)
            #expect(answer.error?.stringValue?.isEmpty == false)
        }
        #expect(await Self.batch(firebase, "batchAdd", []).status == 400)
        #expect(await firebase.ask(.post, "/iid/v1:batchAdd", body: "{", headers: Self.header).status == 400)
        let lenient = Firebase { _, _, settings in settings.needsAccessTokenHeader = false }
        #expect(await lenient.ask(.post, "/iid/v1:batchAdd", body: body).status == 200)
    }

    @Test("it is closed to new projects, to accounts without the role, and to everyone after its last day")
    func closed() async {
        let new = Firebase { shop, _, _ in shop.hasInstanceID = false }
        #expect(await Self.batch(new, "batchAdd", [Firebase.ios]).status == 403)
        let weak = Firebase { _, account, _ in account.permissions["shop"] = [.sendMessages] }
        #expect(await Self.batch(weak, "batchAdd", [Firebase.ios]).json == ["error": "PERMISSION_DENIED"])
        let firebase = Firebase()
        firebase.pass(1_822_176_000 - firebase.now.timeIntervalSince1970)
        #expect(await Self.batch(firebase, "batchAdd", [Firebase.ios]).status == 404)
    }

    @Test("the information on a token, with its topics on request")
    func information() async {
        let firebase = Firebase()
        #expect(await Self.batch(firebase, "batchAdd", [Firebase.ios]).status == 200)
        func info(_ token: String, _ query: String = "") async -> Firebase.Answer {
            await firebase.ask(.get, "/iid/info/\(token)", query: query, headers: Self.header)
        }
        let brief: JSONValue = [
            "application": "com.example.app", "applicationVersion": "1", "authorizedEntity": "42", "platform": "IOS",
        ]
        #expect(await info(Firebase.ios).json == brief)
        let details = await info(Firebase.ios, "details=true")
        #expect(details.json["rel"] == ["topics": ["a": ["addDate": "2026-11-20"]]])
        #expect(await info(Firebase.web).json["platform"] == "CHROME")
        #expect(await info(Firebase.android).json["platform"] == "ANDROID")
        let unknown = await info(Firebase.ghost)
        #expect(unknown.status == 404)
        #expect(unknown.json == ["error": "No information found about this instance id."])
        let malformed = await info("malformed")
        #expect(malformed.status == 400)
        #expect(malformed.json == ["error": "InvalidToken"])
    }

    @Test("one token and one topic in the path")
    func relation() async {
        let firebase = Firebase()
        func relate(_ token: String, _ topic: String) async -> Int {
            await firebase.ask(.post, "/iid/v1/\(token)/rel/topics/\(topic)", headers: Self.header).status
        }
        #expect(await relate(Firebase.android, "a%25") == 200)
        #expect(await firebase.simulator.topics(of: Firebase.android) == ["a%"])
        #expect(await relate(Firebase.android, "a%20b") == 400)
        #expect(await relate(Firebase.ghost, "a") == 404)
        #expect(await relate(Firebase.foreign, "a") == 403)
    }
}
