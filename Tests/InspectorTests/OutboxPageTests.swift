import Glibc
import PushAdapter
import PushMemory
import PushOutbox
import PushOutboxPage
import PushSimulation
import PushSimulationTesting
import Testing

@Suite("The outbox's page over HTTP")
struct OutboxPageTests {
    // MARK: The token

    @Test(
        "without the token there is nothing but the page's files",
        arguments: [
            nil, "Bearer", "Bearer 0123456789abcdef-toke", "Bearer 0123456789abcdef-token2", "Bearer wrong-wrong-wrong",
            "Basic \(OutboxStage.token)", "Bearer x \(OutboxStage.token)",
        ])
    func token(field: String?) async throws {
        try await OutboxStage.run(campaigns: 1, allowsChanges: true) { stage in
            let headers = ["Authorization": field]
            for path in ["/store", "/campaigns", "/campaign?name=campaign-100", "/nothing"] {
                let answer = try await stage.send(.get, path, headers: headers)
                #expect(answer.status == 401 && answer.headers[.wwwAuthenticate] == #"Bearer realm="outbox""#)
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("campaign-100"))
            }
            let post = try await stage.send(.post, "/pause", ["campaign": "campaign-100"], headers: headers)
            #expect(post.status == 401)
            let asParameter = try await stage.send(.get, "/store?token=\(OutboxStage.token)", headers: headers)
            #expect(asParameter.status == 401)
            #expect(try await stage.state(of: "campaign-100") == .active)
        }
    }

    @Test(
        "the page's files need no token, and run no foreign script in no frame",
        arguments: ["/", "/page.css", "/page.js", "/base.css", "/base.js"])
    func files(path: String) async throws {
        try await OutboxStage.run { stage in
            let answer = try await stage.send(.get, path)
            #expect(answer.status == 200 && !answer.body.isEmpty && answer.headers[.cacheControl] == "no-store")
            let policy = HTTPField.Name("Content-Security-Policy").flatMap { answer.headers[$0] } ?? ""
            #expect(
                policy.hasPrefix("default-src 'none'; script-src 'self'") && policy.contains("frame-ancestors 'none'"))
            #expect(answer.headers[.setCookie] == nil)
        }
    }

    @Test(
        "a token that could be guessed or cannot be a header's value is refused",
        arguments: ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n", "0123456789abcdefé"])
    func weakToken(token: String) async throws {
        let page = OutboxPage(PushOutbox(MemoryOutboxStore(), routes: [:]), token: Secret(token))
        let error = await #expect(throws: PushError.self) { try await OutboxPage.withServer(page) { _ in } }
        #expect(error?.kind == .misconfigured && error.map { token.isEmpty || !$0.message.contains(token) } == true)
    }

    // MARK: Other sites

    @Test("a request of another site is refused, even with the token")
    func otherSites() async throws {
        try await OutboxStage.run(campaigns: 1, allowsChanges: true) { stage in
            let name: JSONValue = ["campaign": "campaign-100"]
            for headers in [["Origin": "http://shop.example"], ["Origin": nil], ["Host": "shop.example"]] {
                let post = try await stage.ask(.post, "/pause", name, headers: headers)
                #expect(post.status == 403)
            }
            let cross = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]
            let frame = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]
            #expect(try await stage.ask(.get, "/store", headers: cross).status == 403)
            #expect(try await stage.ask(.get, "/", headers: frame).status == 403)
            let port = stage.address.split(separator: ":").last ?? ""
            for host in ["shop.example", "localhost:\(port)", "[::1]:\(port)"] {
                #expect(try await stage.ask(.get, "/store", headers: ["Host": host]).status == 403)
            }
            #expect(try await stage.state(of: "campaign-100") == .active)
        }
    }

    // MARK: Changes

    @Test("a page only reads, unless its program allows changes", arguments: ["pause", "resume", "cancel"])
    func readOnly(action: String) async throws {
        try await OutboxStage.run(campaigns: 1) { stage in
            let post = try await stage.ask(.post, "/\(action)", ["campaign": "campaign-100"])
            #expect(post.status == 403)
            #expect(try await stage.state(of: "campaign-100") == .active)
            #expect(try await stage.ask(.get, "/store").json()["allowsChanges"] == false)
        }
    }

    @Test("a page that may change something pauses, resumes and cancels")
    func changes() async throws {
        try await OutboxStage.run(campaigns: 1, allowsChanges: true) { stage in
            let name: JSONValue = ["campaign": "campaign-100"]
            for (action, state) in [("pause", Campaign.State.paused), ("resume", .active), ("cancel", .cancelled)] {
                let answer = try await stage.ask(.post, "/\(action)", name)
                #expect(answer.status == 200)
                #expect(try answer.json()["state"] == .string("\(state)"))
                #expect(try await stage.state(of: "campaign-100") == state)
            }
            #expect(try await stage.ask(.post, "/resume", name).status == 409)
            #expect(try await stage.ask(.post, "/pause", ["campaign": "other"]).status == 404)
            #expect(try await stage.ask(.post, "/explode", name).status == 404)
            #expect(try await stage.ask(.delete, "/cancel", name).status == 404)
            #expect(try await stage.ask(.post, "/pause", ["campaign": 5]).status == 400)
            #expect(try await stage.ask(.post, "/pause", []).status == 400)
        }
    }

    // MARK: Campaigns

    @Test("campaigns come in pages, newest first, of at most a hundred")
    func pages() async throws {
        try await OutboxStage.run(campaigns: 105) { stage in
            let first = try await stage.ask(.get, "/campaigns").json()
            #expect(first["campaigns"]?.arrayValue?.count == 25 && first["hasMore"] == true)
            #expect(first["campaigns"]?.arrayValue?.first?["name"] == "campaign-204")
            #expect(try await stage.names("limit=1000").count == 100)
            #expect(try await stage.names("limit=2&before=campaign-180") == ["campaign-179", "campaign-178"])
            let last = try await stage.ask(.get, "/campaigns?limit=5&before=campaign-105").json()
            #expect(last["campaigns"]?.arrayValue?.count == 5 && last["hasMore"] == false)
            #expect(try await stage.names("before=campaign-100") == [])
            #expect(try await stage.names("limit=-1") == ["campaign-204"])
            #expect(try await stage.ask(.get, "/campaigns?before=other").status == 404)
        }
    }

    @Test("campaigns are found by their state")
    func states() async throws {
        try await OutboxStage.run(campaigns: 3) { stage in
            try await stage.outbox.pause("campaign-101")
            try await stage.outbox.cancel("campaign-102")
            #expect(try await stage.names("state=paused") == ["campaign-101"])
            #expect(try await stage.names("state=live") == ["campaign-101", "campaign-100"])
            #expect(try await stage.names("state=all").count == 3)
            #expect(try await stage.names("state=finished") == [])
            #expect(try await stage.ask(.get, "/campaigns?state=removed").status == 400)
            #expect(try await stage.ask(.get, "/campaigns?state=other").status == 400)
            #expect(try await stage.ask(.get, "/campaign").status == 400)
        }
    }

    @Test("a campaign that needs a person says why")
    func needy() async throws {
        try await OutboxStage.run(campaigns: 2, key: "wrong") { stage in
            try await stage.outbox.cancel("campaign-101")
            try await stage.outbox.runUntilIdle()
            let list = try await stage.ask(.get, "/campaigns?state=needy").json()
            #expect(list["count"] == 1)
            let campaign = try #require(list["campaigns"]?.arrayValue?.first)
            #expect(campaign["name"] == "campaign-100" && campaign["needsPerson"] == true)
            let reason = campaign["parts"]?.arrayValue?.first?["pausedFor"]?.stringValue
            #expect(reason?.hasPrefix("unauthorized") == true)
        }
    }

    @Test("a campaign has its priority, its times, its counts, and why its targets wait")
    func campaign() async throws {
        try await OutboxStage.run { stage in
            try await stage.enqueue("sale", priority: .bulk, expiry: .seconds(3_600))
            stage.host.faults.add(.serverError(status: 503), times: 20)
            try await stage.outbox.runUntilIdle()
            let campaign = try await stage.campaign("sale")
            #expect(campaign["priority"] == "bulk" && campaign["targets"] == 3 && campaign["open"] == 3)
            let (start, end) = (campaign["enqueued"]?.intValue ?? 0, campaign["expires"]?.intValue ?? 0)
            #expect(abs(end - start - 3_600_000) <= 1 && campaign["ended"] == .null)
            let wait = try #require(campaign["waits"]?.arrayValue?.first)
            #expect(wait["route"] == "memory" && wait["targets"] == 3)
            #expect(wait["reason"]?.stringValue?.contains("server") == true)
            #expect((wait["nextTry"]?.intValue ?? 0) > start)
            #expect(try await stage.ask(.get, "/campaign?name=other").status == 404)
        }
    }

    @Test("no answer has a target or a text of a message")
    func contents() async throws {
        try await OutboxStage.run(campaigns: 2, key: "wrong") { stage in
            try await stage.leaseOne()
            try await stage.store.release(7)
            try await stage.outbox.runUntilIdle()
            stage.host.faults.add(.serverError(status: 503), times: 20)
            try await stage.outbox.resume("campaign-100")
            try await stage.leaseOne()
            var text = ""
            for path in ["/store", "/campaigns", "/campaigns?state=needy", "/campaign?name=campaign-100"] {
                let answer = try await stage.ask(.get, path)
                #expect(answer.status == 200)
                text += String(decoding: answer.body, as: UTF8.self)
            }
            #expect(text.contains("campaign-100") && !text.contains("SECRET"))
        }
    }

    // MARK: Who works

    @Test("a slice in work names its campaign, its route and its worker")
    func slices() async throws {
        try await OutboxStage.run(campaigns: 1) { stage in
            #expect(try await stage.ask(.get, "/store").json()["slices"] == [])
            try await stage.leaseOne()
            let store = try await stage.ask(.get, "/store").json()
            #expect(store["workers"]?.arrayValue?.map { $0["isLate"] } == [false] && store["failure"] == .null)
            let slice = try #require(store["slices"]?.arrayValue?.first)
            #expect(slice["campaign"] == "campaign-100" && slice["route"] == "memory" && slice["open"] == 3)
            #expect(slice["isSending"] == false && slice["worker"] == "this process")
            try await stage.store.release(7)
            let later = try await stage.ask(.get, "/store").json()
            #expect(later["workers"] == [] && later["slices"]?.arrayValue?.first?["worker"] == .null)
        }
    }

    @Test("a route rests until a moment after its vendor failed three times in a row")
    func rests() async throws {
        try await OutboxStage.run { stage in
            let before = try await stage.ask(.get, "/store").json()["routes"]
            #expect(before == [["name": "memory", "restsUntil": .null]])
            stage.host.faults.add(.serverError(status: 503), times: 100, path: "/messages")
            for number in 0..<3 {
                try await stage.enqueue("sale-\(number)")
                try await stage.outbox.runUntilIdle()
            }
            let store = try await stage.ask(.get, "/store").json()
            let end = try #require(store["routes"]?.arrayValue?.first?["restsUntil"]?.intValue)
            #expect(end > (store["now"]?.intValue ?? .max))
            #expect(await stage.outbox.health().restingRoutes == ["memory"])
        }
    }

    @Test("a store that does not answer is shown as such")
    func failure() async throws {
        try await OutboxStage.run(campaigns: 1) { stage in
            stage.store.isBroken.withLock { $0 = true }
            let store = try await stage.ask(.get, "/store")
            #expect(store.status == 200)
            #expect(try store.json()["failure"]?.stringValue?.isEmpty == false)
            #expect(try await stage.ask(.get, "/campaigns").status == 503)
            stage.store.isBroken.withLock { $0 = false }
            #expect(try await stage.ask(.get, "/store").json()["failure"] == .null)
        }
    }

    @Test("the page takes thirty-two connections, and closes one more")
    func connections() async throws {
        try await OutboxStage.run { stage in
            let port = try #require(stage.address.split(separator: ":").last.flatMap { UInt16($0) })
            let sockets = (0..<33).map { _ in connected(to: port) }
            defer { for socket in sockets { close(socket) } }
            #expect(sockets.allSatisfy { $0 >= 0 })
            // A connection that is taken gives nothing to read.
            var states = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            #expect(poll(&states, nfds_t(states.count), 10_000) == 1)
            var byte: UInt8 = 0
            let closed = try #require(states.first { $0.revents != 0 })
            #expect(recv(closed.fd, &byte, 1, 0) <= 0)
        }
    }

    /// A socket that is connected to a port of this machine; below 0 if it could not be.
    private func connected(to port: UInt16) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { connect(socket, $0.baseAddress, socklen_t(bytes.count)) }
        }
        return code == 0 ? socket : -1
    }
}
