import FCMSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Subscriptions, and messages to topics and conditions: checks S28 and S29.
@Suite("FCM simulator: topics")
struct FCMSimulatorTopicTests {
    private typealias Firebase = SimulatedFirebase
    private static let base = "/v1/projects/shop/registrations/\(SimulatedFirebase.android)/topicSubscriptions"

    @Test("S28: a subscription is created once, read, listed, updated and deleted")
    func subscriptions() async {
        let firebase = Firebase()
        let created = await firebase.ask(.post, Self.base, query: "topic_name=a", body: "{}")
        let expected: JSONValue = [
            "name": .string("projects/shop/registrations/\(Firebase.android)/topicSubscriptions/a"),
            "topic_name": "a", "create_time": "2026-11-20T00:00:00.000Z",
        ]
        #expect(created.status == 200)
        #expect(created.json == expected)
        let again = await firebase.ask(.post, Self.base, query: "topicName=a")
        #expect(again.status == 409)
        #expect(again.error?["status"] == "ALREADY_EXISTS")
        #expect(again.error?["details"] == nil)
        firebase.pass(1.5)
        #expect(await firebase.ask(.get, Self.base + "/a").json == expected)
        #expect(await firebase.ask(.patch, Self.base + "/a").json == expected)
        #expect(await firebase.ask(.patch, Self.base + "/b").status == 404)
        let upserted = await firebase.ask(.patch, Self.base + "/b", query: "allowMissing=true")
        #expect(upserted.json["create_time"] == "2026-11-20T00:00:01.500Z")
        #expect(await firebase.simulator.topics(of: Firebase.android) == ["a", "b"])
        #expect(await firebase.ask(.delete, Self.base + "/a").json == [:])
        for (query, status) in [
            ("", 404), ("allow_missing=false", 404), ("allow_missing=true", 200), ("allow_missing=1", 400),
        ] {
            #expect(await firebase.ask(.delete, Self.base + "/a", query: query).status == status)
        }
        let missing = await firebase.ask(.get, Self.base + "/a")
        #expect(missing.status == 404)
        #expect(missing.error?["status"] == "NOT_FOUND")
        #expect(missing.error?["details"] == nil)
        #expect(await firebase.simulator.topics(of: Firebase.android) == ["b"])
    }

    @Test(
        "S28: an unknown registration, one that ended and one of another project are not found; others are malformed",
        arguments: [
            (SimulatedFirebase.ghost, 404), ("unknown", 404), (SimulatedFirebase.foreign, 404),
            (SimulatedFirebase.ios, 404), ("a%20b", 400), (SimulatedFirebase.fid, 200), (SimulatedFirebase.web, 200),
        ])
    func registrations(id: String, status: Int) async {
        let firebase = Firebase()
        await firebase.simulator.unregister(Firebase.ios)
        #expect(await firebase.subscribe(id, "a") == status)
        let list = await firebase.ask(.get, "/v1/projects/shop/registrations/\(id)/topicSubscriptions")
        #expect(list.status == status)
    }

    @Test("a topic in the path is decoded, and checked", arguments: [("a%2525", "a%25"), ("a%7Eb", "a~b")])
    func escapes(path: String, topic: String) async {
        let firebase = Firebase()
        #expect(await firebase.ask(.patch, "\(Self.base)/\(path)", query: "allow_missing=true").status == 200)
        #expect(await firebase.simulator.topics(of: Firebase.android) == [topic])
        #expect(await firebase.ask(.delete, "\(Self.base)/a%2Fb").status == 400)
        #expect(await firebase.ask(.post, Self.base, query: "topic_name=a/b").status == 400)
        #expect(await firebase.ask(.post, Self.base).status == 400)
        #expect(await firebase.ask(.post, Self.base, query: "topic_name=c", body: #"{"x":1}"#).status == 400)
    }

    @Test("the list has pages, in either spelling")
    func pages() async {
        let firebase = Firebase { _, _, settings in
            settings.writesCamelCase = true
            settings.namesSubscriptions = false
        }
        for topic in ["c", "a", "b"] { #expect(await firebase.subscribe(Firebase.android, topic) == 200) }
        let first = await firebase.ask(.get, Self.base, query: "pageSize=2")
        #expect(first.json["topicSubscriptions"]?.arrayValue?.map { $0["topicName"] } == ["a", "b"])
        #expect(first.json["topicSubscriptions"]?.arrayValue?.first?["name"] == nil)
        let token = first.json["nextPageToken"]?.stringValue ?? ""
        #expect(!token.isEmpty)
        let second = await firebase.ask(.get, Self.base, query: "page_size=2&page_token=\(token)")
        #expect(second.json["topicSubscriptions"]?.arrayValue?.map { $0["topicName"] } == ["c"])
        #expect(second.json["nextPageToken"] == nil)
        for query in ["page_token=x", "page_size=x", "page_size=-1"] {
            #expect(await firebase.ask(.get, Self.base, query: query).status == 400)
        }
    }

    @Test("a page has 1,000 topics, or up to 2,000")
    func pageSizes() async {
        let firebase = Firebase { _, _, settings in settings.topicsPerRegistration = 3000 }
        for number in 0..<2001 {
            #expect(await firebase.subscribe(Firebase.android, "t\(number)") == 200)
        }
        for (query, count) in [("", 1000), ("page_size=0", 1000), ("page_size=5000", 2000)] {
            let answer = await firebase.ask(.get, Self.base, query: query)
            #expect(answer.json["topic_subscriptions"]?.arrayValue?.count == count)
            #expect(answer.json["next_page_token"] != nil)
        }
    }

    @Test("S29: too many topics of one registration, too many changes a second")
    func limits() async {
        let firebase = Firebase { _, _, settings in
            settings.topicsPerRegistration = 2
            settings.subscriptionChangesPerSecond = 4
        }
        #expect(await firebase.subscribe(Firebase.android, "a") == 200)
        #expect(await firebase.subscribe(Firebase.android, "b") == 200)
        let answer = await firebase.ask(.post, Self.base, query: "topic_name=c")
        #expect(answer.status == 429)
        #expect(answer.error?["status"] == "RESOURCE_EXHAUSTED")
        #expect(answer.error?["details"] == nil)
        #expect(await firebase.subscribe(Firebase.ios, "c") == 200)
        #expect(await firebase.subscribe(Firebase.ios, "d") == 429)
        firebase.pass(1)
        #expect(await firebase.subscribe(Firebase.ios, "d") == 200)
    }

    @Test("a project without the topic API, and errors with the vendor's code")
    func switches() async {
        let closed = Firebase { shop, _, _ in shop.hasTopicAPI = false }
        #expect(await closed.subscribe(Firebase.android, "a") == 404)
        let coded = Firebase { _, _, settings in settings.topicErrorsHaveCode = true }
        let answer = await coded.ask(.get, "/v1/projects/shop/registrations/\(Firebase.ghost)/topicSubscriptions")
        #expect(answer.error?["details"] == [Envelope.code("UNREGISTERED")])
        // A missing subscription says nothing about its registration.
        let missing = await coded.ask(.get, Self.base + "/a")
        #expect(missing.status == 404)
        #expect(missing.error?["details"] == nil)
    }

    // MARK: Messages

    @Test("a message to a topic reaches its registrations; one to a topic without any is accepted")
    func topicMessages() async {
        let firebase = Firebase()
        for device in [Firebase.android, Firebase.web, Firebase.ios] {
            #expect(await firebase.subscribe(device, "a") == 200)
        }
        await firebase.simulator.disableAppleToken(of: Firebase.ios)
        let answer = await firebase.send(#""topic":"a","notification":{"title":"t"}"#)
        #expect(answer.messageID.utf8.allSatisfy { (0x30...0x39).contains($0) })
        #expect(await firebase.simulator.receivers(of: answer.messageID) == [Firebase.android, Firebase.web])
        let name = answer.json["name"]?.stringValue ?? ""
        #expect(await firebase.simulator.receivers(of: name) == [Firebase.android, Firebase.web])
        #expect(await firebase.send(#""topic":"empty""#).status == 200)
    }

    @Test("a new subscription may need time until it receives messages")
    func delay() async {
        let firebase = Firebase { _, _, settings in settings.topicDelay = 5 }
        #expect(await firebase.subscribe(Firebase.android, "a") == 200)
        for _ in 0..<2 {
            #expect(await firebase.send(#""topic":"a""#).status == 200)
            firebase.pass(5)
        }
        #expect(await firebase.inbox(Firebase.android).count == 1)
    }

    private static let conditionCases: [(condition: String, devices: [String])] = [
        ("'a' in topics", ["ab", "abc", "ac"]), ("'a' in topics && 'b' in topics", ["ab", "abc"]),
        ("'a' in topics&&!('b' in topics)", ["ac"]), ("!('a' in topics)", ["b", "c", "none"]),
        ("!!'c' in topics", ["abc", "ac", "c"]), ("!'a' in topics && !'b' in topics", ["c", "none"]),
        // Read from left to right, this is (b or a) and c. With precedence it would be b or (a and c).
        ("'b' in topics || 'a' in topics && 'c' in topics", ["abc", "ac"]),
        ("'b' in topics || ('a' in topics && 'c' in topics)", ["ab", "abc", "ac", "b"]),
        ("'a' in topics && 'b' in topics || 'c' in topics", ["ab", "abc", "ac", "c"]),
        (" ( 'a'  in topics ) ", ["ab", "abc", "ac"]),
        ("'a' in topics && 'a' in topics && 'a' in topics && 'a' in topics && 'c' in topics", ["abc", "ac"]),
    ]

    @Test("conditions apply their operators from left to right, to all apps of the project", arguments: conditionCases)
    func conditions(condition: String, devices: [String]) async {
        let names = ["ab", "abc", "ac", "b", "c", "none"]
        let firebase = Firebase { shop, _, _ in
            shop.registrations = names.map { FCMRegistration(VirtualDevice($0, .android), package: "com.\($0)") }
        }
        for name in names where name != "none" {
            for topic in name { #expect(await firebase.subscribe(name, String(topic)) == 200) }
        }
        let answer = await firebase.send(#""condition":"\#(condition)""#)
        #expect(answer.status == 200)
        #expect(await firebase.simulator.receivers(of: answer.messageID) == devices)
    }

    @Test("a message to a topic that is restricted to a package skips the other packages on Android")
    func packages() async {
        let firebase = Firebase { shop, _, _ in
            shop.registrations.append(FCMRegistration(VirtualDevice("other", .android), package: "com.other"))
        }
        for device in ["other", Firebase.android, Firebase.ios] { _ = await firebase.subscribe(device, "a") }
        let answer = await firebase.send(#""topic":"a","android":{"restricted_package_name":"com.other"}"#)
        #expect(await firebase.simulator.receivers(of: answer.messageID) == [Firebase.ios, "other"])
    }

    @Test("a snapshot shows topics as tags")
    func snapshots() async {
        let firebase = Firebase { _, _, settings in settings.tagPrefix = "tag-" }
        for topic in ["tag-a%2520b", "other"] { _ = await firebase.subscribe(Firebase.android, topic) }
        #expect(await firebase.simulator.topics(of: Firebase.android) == ["tag-a%20b", "other"])
        #expect(await firebase.simulator.snapshot(of: Firebase.android)?.tags == ["a b"])
        #expect(await firebase.simulator.snapshot(of: "nobody") == nil)
    }
}
