import PushAdapter
import PushClient
import PushInspector
import PushJPush
import PushPhone
import PushSimulation
import TestSupport
import Testing

@Suite("Inspector over HTTP")
struct InspectorTests {
    // MARK: Access

    @Test(
        "a request for another host name is refused, although it comes to this port",
        arguments: ["shop.example", "shop.example:80", "127.0.0.1", "localhost:1", "127.0.0.1.shop.example"])
    func foreignHost(name: String) async throws {
        try await Stage.run { stage in
            for path in ["/", "/state", "/requests", "/events", "/page.js"] {
                let page = try await stage.send(.get, path, headers: ["Host": name]).status
                #expect(page == 403)
            }
            let post = try await stage.send(.post, "/faults", ["fault": "lost"], headers: ["Host": name]).status
            #expect(post == 403)
            #expect(stage.host.faults.remaining.isEmpty)
        }
    }

    @Test(
        "only the page itself may change something",
        arguments: [nil, "null", "http://shop.example", "http://127.0.0.1:1", "https://127.0.0.1"])
    func foreignOrigin(origin: String?) async throws {
        try await Stage.run { stage in
            let headers = ["Origin": origin]
            let post = try await stage.send(.post, "/faults", ["fault": "lost"], headers: headers).status
            #expect(post == 403)
            let delete = try await stage.send(.delete, "/faults", [:], headers: headers).status
            #expect(delete == 403)
            #expect(stage.host.faults.remaining.isEmpty)
        }
    }

    @Test("a form of another site cannot change anything, and no site may read an answer")
    func forms() async throws {
        try await Stage.run { stage in
            for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
                #expect(try await stage.send(.post, "/faults", ["fault": "lost"], type: type).status == 403)
            }
            #expect(try await stage.send(.put, "/faults", ["fault": "lost"]).status == 405)
            let answer = try await stage.send(.get, "/state", headers: ["Origin": "http://shop.example"])
            #expect(!answer.headers.contains { $0.name.canonicalName.hasPrefix("access-control") })
            #expect(try await stage.send(.post, "/faults", ["fault": "lost"]).status == 200)
            #expect(stage.host.faults.remaining.map(\.fault) == [.actedThenLost])
        }
    }

    @Test("a long body is refused")
    func longBody() async throws {
        try await Stage.run { stage in
            let text = String(repeating: "a", count: 64 << 10)
            let status = try await stage.send(.post, "/send", ["body": .string(text), "everyone": true]).status
            #expect(status == 413)
            #expect(stage.host.journal.count == 0)
        }
    }

    @Test("the page runs no foreign script and stands in no frame", arguments: ["/", "/page.css", "/page.js"])
    func page(path: String) async throws {
        try await Stage.run { stage in
            let answer = try await stage.send(.get, path)
            #expect(answer.status == 200 && !answer.body.isEmpty)
            let policy = HTTPField.Name("Content-Security-Policy").flatMap { answer.headers[$0] } ?? ""
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(try await stage.send(.get, "/nothing").status == 404)
        }
    }

    // MARK: Contents

    @Test("no credential of a request or of its answer is shown, wherever it is")
    func secrets() async throws {
        try await Stage.run { stage in
            let form = "grant_type=jwt-bearer&assertion=SECRET-1&scope=push"
            let nested: JSONValue = [
                "audience": "all", "a": [["client_secret": "SECRET-2", "b": ["masterSecret": ["x": "SECRET-3"]]]],
                "inner": #"{"password": "SECRET-4"}"#, "text": "Bearer SECRET-5",
            ]
            let answer = #"{"access_token": "SECRET-6", "id_token": "SECRET-7", "expires_in": 3599}"#
            for (type, body) in [
                ("application/x-www-form-urlencoded", Array(form.utf8)),
                ("application/json", JSONWriter.bytes(of: nested)), ("text/plain", Array("SECRET-8".utf8)),
            ] {
                stage.host.faults.add(.answer(SimulatedResponse(status: 200, body: Array(answer.utf8))))
                _ = await stage.host.handle(
                    SimulatedRequest(
                        method: .post, path: "/token", query: "access_token=SECRET-9&page=2",
                        headers: [.authorization: "Bearer SECRET-10", .contentType: type], body: body))
            }
            var text = ""
            for path in ["/requests", "/requests/1", "/requests/2", "/requests/3"] {
                text += String(decoding: try await stage.send(.get, path).body, as: UTF8.self)
            }
            #expect(!text.contains("SECRET"))
            #expect(text.contains("access_token=hidden&page=2"))
            #expect(text.contains("assertion = hidden") && text.contains("grant_type = jwt-bearer"))
            #expect(text.contains("Authorization") && text.contains("3599") && text.contains("8 bytes"))
        }
    }

    @Test("a request shows the vendor's code and what it means, and the fault that hit it")
    func verdict() async throws {
        try await Stage.run { stage in
            await #expect(throws: PushError.self) {
                try await stage.client.send(
                    Message(notification: Notification(body: "Hello")), to: .tagged(anyOf: ["nobody"]))
            }
            stage.host.faults.add(.silence)
            await stage.knock()
            let rows = try #require(try await stage.send(.get, "/requests").json()["requests"]?.arrayValue)
            let push = try #require(rows.first { $0["path"] == "/v3/push" })
            #expect(push["code"] == "1011" && push["isRefusal"] == true)
            #expect(push["verdict"]?.stringValue?.isEmpty == false)
            #expect(push["audience"]?.stringValue?.contains("nobody") == true)
            #expect(rows.last?["fault"] == "silence" && rows.last?["status"] == .null)
        }
    }

    @Test(
        "Mozilla's number, Apple's reason and ntfy's code are shown",
        arguments: [
            (#"{"code": 401, "errno": 109, "error": "Unauthorized", "message": "m"}"#, "109"),
            (#"{"reason": "BadJwtToken"}"#, "BadJwtToken"), (#"{"code": 42901, "http": 429, "error": "e"}"#, "42901"),
        ])
    func codes(body: String, code: String) async throws {
        try await Stage.run { stage in
            stage.host.faults.add(.answer(SimulatedResponse(status: 400, body: Array(body.utf8))))
            await stage.knock()
            let row = try #require(try await stage.send(.get, "/requests").json()["requests"]?.arrayValue?.last)
            #expect(row["code"] == .string(code) && row["isRefusal"] == true)
        }
    }

    @Test(
        "Huawei's codes of success, whole or in part, are no refusals; a refusal has a code and no message; tokens are shown"
    )
    func huawei() async throws {
        try await Stage.run { stage in
            let bodies = [
                #"{"message": {"token": ["a", "b", "c", "d"]}}"#, #"{"target": {"token": ["a", "b"]}}"#,
                #"{"target": {"token": ["a", "b"]}}"#,
            ]
            for (body, code) in zip(bodies, ["80000000", "80300007", "80100000"]) {
                let answer: JSONValue = ["code": .string(code), "msg": "x", "requestId": "17"]
                stage.host.faults.add(.answer(SimulatedResponse(status: 200, body: JSONWriter.bytes(of: answer))))
                _ = await stage.host.handle(
                    SimulatedRequest(
                        method: .post, path: "/v3/1/messages:send", query: "", headers: [:], body: Array(body.utf8)))
            }
            var rows: [JSONValue] = []
            for number in 1...3 { rows.append(try await stage.send(.get, "/requests/\(number)").json()) }
            #expect(rows.map { $0["code"] } == [.null, "80300007", .null])
            #expect(rows.map { $0["message"] } == ["17", nil, "17"])
            #expect(rows.prefix(2).map { $0["audience"] } == ["token: a, b, c and 1 more", "token: a, b"])
        }
    }

    @Test("requests after a number are those that the page does not have")
    func after() async throws {
        try await Stage.run { stage in
            for _ in 0..<5 { await stage.knock() }
            let rows = try await stage.send(.get, "/requests?after=3").json()["requests"]?.arrayValue
            #expect(rows?.compactMap { $0["number"]?.intValue } == [4, 5])
            stage.host.journal.removeAll()
            await stage.knock()
            let later = try await stage.send(.get, "/requests?after=5").json()["requests"]?.arrayValue
            #expect(later?.compactMap { $0["number"]?.intValue } == [6])
            #expect(try await stage.send(.get, "/requests/3").status == 404)
        }
    }

    @Test("devices come in pages of 50 at most, and are found by id, tag and alias")
    func pages() async throws {
        try await Stage.run(devices: 120) { stage in
            _ = try await stage.client.updateTags(.add(["VIP"]), of: "190e35f7e0a1b2c1007")
            let all = try await stage.state("limit=500")["devices"]
            #expect(all?["items"]?.arrayValue?.count == 50 && all?["total"] == 121)
            #expect(try await stage.state("offset=100")["devices"]?["items"]?.arrayValue?.count == 21)
            #expect(try await stage.state("find=B2C1007")["devices"]?["matching"] == 1)
            let tagged = try await stage.state("find=vip")["devices"]
            #expect(tagged?["matching"] == 1)
            #expect(tagged?["items"]?.arrayValue?.first?["id"] == "190e35f7e0a1b2c1007")
            #expect(try await stage.state("find=nothing&offset=-4&limit=0")["devices"]?["matching"] == 0)
        }
    }

    @Test("each phone says its platform")
    func platforms() async throws {
        try await Stage.run(platforms: [.ios, .android, .harmony]) { stage in
            let phones = try await stage.state()["phones"]?["items"]?.arrayValue
            #expect(phones?.map { $0["platform"] } == ["ios", "android", "harmony"])
        }
    }

    @Test("a request of another site is refused, unless it only opens the page; so is a GET with a body")
    func otherSites() async throws {
        try await Stage.run { stage in
            func status(_ path: String, _ headers: [String: String?]) async throws -> Int {
                try await stage.send(.get, path, headers: headers).status
            }
            let cross = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]
            let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
            let frame = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]
            let own = ["Sec-Fetch-Site": "same-origin"]
            let found = [
                try await status("/state", cross), try await status("/state", own), try await status("/", link),
                try await status("/requests/-9223372036854775808", own),
                try await stage.send(.get, "/events", ["unread": true]).status,
                try await status("/events", frame), try await status("/", frame), try await status("/events", link),
            ]
            #expect(found == [403, 200, 200, 404, 400, 403, 403, 403])
        }
    }

    @Test(
        "a secret is hidden wherever it stands: in paths, keys, audiences and texts",
        arguments: [
            (path: "/v3/devices/Bearer%20S14CRETS14CRET", body: "{}"), ("/v3/push/aaaabbbbccccddddeeeeffff", "{}"),
            ("/v3/push", #"{"audience": {"password": "S1CRET", "access.token": "S1CRET"}}"#),
            ("/v3/push", #"{"to": "Bearer S5CRETS5CRETS5CRET"}"#), ("/v3/push", #"{"aaaabbbbccccddddeeeeffff": 1}"#),
            ("/v3/push", #"{"a": "see https://user:S2CRET@example.com", "authToken": "S3CRET"}"#),
            ("/v3/push", #"{"a": "x?access_token=S7CRET", "b": " {\"pwd\": \"S8CRET\"}"}"#),
            ("/v3/push", #"{"a": "send Authorization: basic UzlDUkVUUzlDUkVU", "b": "\n-----BEGIN PRIVATE KEY"}"#),
            ("/v3/push", #"{"a": ["Basic", "dXNlcjpTOUNSRVRTOQ=="], "dXNlcjpTOUNSRVRTOQ": 1}"#),
            ("/v3/push", #"{"a": "Authorization:Basic UzlDUkVUUzlDUkVU now", "b": "x=dXNlcjpTOUNSRVRTOQ=="}"#),
            ("/v3/Basic/dXNlcjpTOUNSRVRTOQ==", #"{"a": "Basic%20dXNlcjpTOUNSRVRTOQ%3D%3D"}"#),
        ])
    func hidden(path: String, body: String) async throws {
        try await Stage.run { stage in
            _ = await stage.host.handle(
                SimulatedRequest(
                    method: .post, path: path, query: "sign=S4CRET&x=1",
                    headers: [.contentType: "application/json"], body: Array(body.utf8)))
            let list = String(decoding: try await stage.send(.get, "/requests").body, as: UTF8.self)
            let details = String(decoding: try await stage.send(.get, "/requests/1").body, as: UTF8.self)
            for text in [list, details] {
                for secret in ["CRET", "aaaabbbb", "UzlDUkVU", "TOUNSRVRTO", "BEGIN PRIVATE"] {
                    #expect(!text.contains(secret))
                }
                #expect(text.contains("hidden"))
            }
        }
    }

    @Test("ordinary texts are shown as they are")
    func ordinary() async throws {
        try await Stage.run { stage in
            let body = #"{"audience": "all", "notification": {"alert": "Basic training: bearer of news, 3 + 4 = 7"}}"#
            _ = await stage.host.handle(
                SimulatedRequest(
                    method: .post, path: "/v3/push", query: "", headers: [.contentType: "application/json"],
                    body: Array(body.utf8)))
            let details = String(decoding: try await stage.send(.get, "/requests/1").body, as: UTF8.self)
            #expect(details.contains("Basic training: bearer of news, 3 + 4 = 7"))
        }
    }

    @Test("an error that an answer gives as its code is hidden like any text")
    func hiddenCode() async throws {
        try await Stage.run { stage in
            let body = #"{"error": "Basic dXNlcjpTOUNSRVRTOQ==", "msg_id": "dXNlcjpTOUNSRVRTOQ=="}"#
            stage.host.faults.add(.answer(SimulatedResponse(status: 400, body: Array(body.utf8))))
            await stage.knock()
            for path in ["/requests", "/requests/1"] {
                let text = String(decoding: try await stage.send(.get, path).body, as: UTF8.self)
                #expect(!text.contains("dXNlcjpT") && text.contains("hidden"))
            }
        }
    }

    @Test("a connection ends after its answer, as the answer says", .timeLimit(.minutes(2)))
    func closes() async throws {
        try await Stage.run { stage in
            let port = stage.authority.split(separator: ":").last ?? ""
            // Reads until the server closes, although the client asks to keep the connection.
            let script =
                "exec 3<>/dev/tcp/127.0.0.1/\(port); "
                + "printf 'GET /page.css HTTP/1.1\\r\\nHost: \(stage.authority)\\r\\n\\r\\n' >&3; cat <&3 && echo && echo over"
            let shell = try Program("/bin/bash", ["-c", script])
            let result = await shell.result()
            #expect(result.output.hasPrefix("HTTP/1.1 200") && result.output.hasSuffix("over\n"), "\(result.errors)")
        }
    }

    // MARK: Actions

    @Test("a fault hits the next request, and waits until then")
    func faults() async throws {
        try await Stage.run { stage in
            let added = try await stage.send(
                .post, "/faults", ["fault": "error", "value": 503, "times": 2, "path": .string("/\(Stage.device)")])
            #expect(added.status == 200)
            let waiting = try await stage.state()["faults"]?["waiting"]
            #expect(waiting == [["fault": "error=503", "times": 2, "path": "/190e35f7e0a1b2c3d4e"]])
            #expect(await stage.knock() == 503)
            #expect(try await stage.send(.delete, "/faults", [:]).status == 200)
            #expect(await stage.knock() == 401)
        }
    }

    @Test(
        "a fault that cannot be is refused",
        arguments: [
            ["fault": "earthquake"], ["fault": "error", "value": 200], ["fault": "lost", "value": 1], [:],
            ["fault": "lost", "times": 0], ["fault": "lost", "path": "v3"], ["fault": 5], [],
        ] as [JSONValue])
    func badFault(body: JSONValue) async throws {
        try await Stage.run { stage in
            let status = try await stage.send(.post, "/faults", body).status
            #expect(status == 400)
            #expect(stage.host.faults.remaining.isEmpty)
        }
    }

    @Test("a vendor that does not demand HTTP/2 has no faults of HTTP/2", arguments: ["refuse", "goaway"])
    func foreignFault(name: String) async throws {
        try await Stage.run { stage in
            let offered = try await stage.faultNames()
            #expect(offered == FaultKind.all.filter { !$0.needsHTTP2 }.map(\.name))
            #expect(offered.contains("silence") && !offered.contains(name))
            let answer = try await stage.send(.post, "/faults", ["fault": .string(name)])
            #expect(answer.status == 400)
            let text = "\(name) is a fault of HTTP/2, and jpush does not demand HTTP/2; take another, such as silence"
            #expect(try answer.json()["error"] == .string(text))
            #expect(stage.host.faults.remaining.isEmpty)
        }
    }

    @Test("a vendor that speaks HTTP/2 only has every fault")
    func http2Faults() async throws {
        try await HTTP2Stage.run { stage in
            let offered = try await stage.faultNames()
            #expect(offered == FaultKind.all.map(\.name) && offered.contains("refuse") && offered.contains("goaway"))
            for name in ["refuse", "goaway"] {
                #expect(try await stage.send(.post, "/faults", ["fault": .string(name)]).status == 200)
            }
            #expect(stage.host.faults.remaining.map(\.fault) == [.refusedStream, .goAway])
        }
    }

    @Test("a message of the console arrives, and a tap on it is the user's")
    func console() async throws {
        try await Stage.run { stage in
            let sent = try await stage.send(
                .post, "/send", ["title": "Shop", "body": "Hello", "badge": "", "device": .string(Stage.device)])
            #expect(sent.status == 200)
            let id = try #require(try sent.json()["messageID"]?.stringValue)
            let phone = try await stage.state()["phones"]?["items"]?.arrayValue?.first
            let notification = try #require(phone?["center"]?.arrayValue?.first)
            #expect(notification["title"] == "Shop" && notification["body"] == "Hello")
            let tap = try await stage.send(
                .post, "/phones/\(Stage.device)/tap", ["identifier": notification["id"] ?? .null])
            #expect(tap.status == 200)
            #expect(stage.phone.center.isEmpty && stage.phone.appState == .foreground)
            let counts = try await stage.client.run(stage.jpush.readStatistics(of: [MessageID(id)]))
            #expect(counts.first?.totals["notification"]?.click == 1)
        }
    }

    @Test("an unknown phone or action is refused, and so is a send without a clear audience")
    func refusals() async throws {
        try await Stage.run { stage in
            #expect(try await stage.send(.post, "/phones/nobody/open", [:]).status == 404)
            #expect(try await stage.send(.post, "/phones/\(Stage.device)/explode", [:]).status == 404)
            #expect(try await stage.send(.post, "/phones/\(Stage.device)/reachable", [:]).status == 400)
            #expect(try await stage.send(.post, "/send", ["body": "Hello"]).status == 400)
            let both = try await stage.send(.post, "/send", ["body": "Hello", "device": "a", "everyone": true])
            #expect(both.status == 400)
            let refused = try await stage.send(.post, "/send", ["body": "Hello", "device": "unknown"])
            #expect(refused.status == 422)
            #expect(try refused.json()["error"]?.stringValue?.isEmpty == false)
        }
    }

    // MARK: News

    @Test("a stream has each request, and ends when the server stops")
    func events() async throws {
        let stream = Locked<Program?>(nil)
        try await Stage.run { stage in
            let curl = try Program("/usr/bin/curl", ["-sSN", "--max-time", "60", stage.address + "/events?after=0"])
            stream.withLock { $0 = curl }
            #expect(try await curl.firstLine() == "retry: 2000")
            await stage.knock()
        }
        let result = try #require(await stream.withLock({ $0 })?.result())
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("event: request\ndata: {"))
        #expect(result.output.contains("event: change\n") && result.output.contains("id: 1\n"))
    }
}
