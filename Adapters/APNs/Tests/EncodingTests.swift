import FoundationEssentials
import PushAPNs
import PushAdapter
import TestSupport
import Testing

@Suite("APNs requests")
struct EncodingTests {
    private static let forms: [Form] = fixture("pushes.json") ?? []
    private static let refusals: [Refused] = fixture("refusals.json") ?? []

    @Test("a message has one form", arguments: forms)
    func form(row: Form) throws { try row.check() }

    @Test("a message without a form is refused", arguments: refusals)
    func refusal(row: Refused) throws {
        try Shop.expectRefusal(of: row.message, row.kind ?? .invalidArgument, naming: row.word ?? "")
    }

    @Test("the tables are there")
    func tables() { #expect(Self.forms.count > 30 && Self.refusals.count > 40) }

    @Test("every field of a notification goes to where the vendor has it, and the id is that of the context")
    func notification() throws {
        let ios = IOSNotification(
            title: "iT", subtitle: "iS", body: "iB", sound: "a.caf", badge: .set(3), category: "c", threadID: "th",
            isMutable: true, isContentAvailable: true, interruptionLevel: .timeSensitive, collapseID: "col")
        let message = Shop.shown(ios, extras: ["order": 17]).with(\.timeToLive, .seconds(60))
            .with(\.deliveryPriority, .high)
        let aps: JSONValue = [
            "alert": ["title": "iT", "subtitle": "iS", "body": "iB"], "badge": 3, "sound": "a.caf", "category": "c",
            "thread-id": "th", "interruption-level": "time-sensitive", "mutable-content": 1, "content-available": 1,
        ]
        let headers = ["apns-priority": "10", "apns-expiration": "1795165260", "apns-collapse-id": "col"]
        try Form(name: "all", message: message, payload: ["aps": aps, "order": 17], headers: headers).check()
        let context = SendContext(at: Shop.now)
        let exchange = try Shop.apns().send(message, to: Shop.devices(1), in: context)
        #expect(exchange.request.method == .post && exchange.operation == .send && exchange.credential == .app)
        #expect(try exchange.request.target() == "/3/device/" + Shop.device(0).rawValue)
        #expect(Shop.header("apns-id", of: exchange.request) == context.uuid)
        // The id is a UUID in lower case, without zeros lost.
        for context in (0..<200).map({ _ in SendContext(at: Shop.now) }) {
            #expect(UUID(uuidString: context.uuid)?.uuidString.lowercased() == context.uuid)
            #expect(context.uuid.replacing("-", with: "") == context.id)
        }
    }

    @Test("the body is JSON without blanks, and a life has and counts from whole seconds")
    func text() throws {
        let message = Shop.shown(IOSNotification(badge: .set(2))).with(\.timeToLive, .seconds(60))
        let request = try Shop.request(of: message, at: Shop.now.addingTimeInterval(0.9))
        #expect(request.body == .json(Array(#"{"aps":{"alert":{"body":"B","title":"T"},"badge":2}}"#.utf8)))
        #expect(Shop.header("apns-expiration", of: request) == "1795165260")
        try Shop.expectRefusal(of: Shop.shown().with(\.timeToLive, .milliseconds(1500)))
    }

    @Test("a client with the certificate for device management needs no topic in its messages")
    func managementCertificate() throws {
        let apns = try APNs(certificateFor: Shop.management)
        let request = try Shop.request(of: Shop.custom(.mdm, content: "magic"), from: apns)
        #expect(Shop.header("apns-topic", of: request) == Shop.management)
    }

    @Test("a message is written anew for another second, and for another content")
    func anew() throws {
        let apns = try Shop.apns()
        let message = Shop.shown().with(\.timeToLive, .seconds(60))
        let first = try Shop.request(of: message, from: apns)
        let later = try Shop.request(of: message, from: apns, to: "00ff", at: Shop.now.addingTimeInterval(1))
        #expect(later.body == first.body && Shop.header("apns-expiration", of: later) == "1795165261")
        #expect(Shop.header("apns-id", of: first) != Shop.header("apns-id", of: later))
        let changed = try Shop.request(of: message.with(\.notification, Notification(body: "other")), from: apns)
        #expect(try changed.json()["aps"]?["alert"] == "other")
    }

    @Test("a request has one device, whose token is hexadecimal, and longer than any that was seen")
    func targets() throws {
        let apns = try Shop.apns()
        let context = SendContext(at: Shop.now)
        #expect(try Shop.request(of: Shop.shown(), to: "00FF").target() == "/3/device/00ff")
        for audience: Audience in [.devices(["00", "11"]), .devices([]), .everyone, .tagged(anyOf: ["a"])] {
            #expect(throws: PushError.self) { try apns.send(Shop.shown(), to: audience, in: context) }
        }
        for count in [8, 64, 160, 200, 1000] {
            let token = DeviceID(String(repeating: "a", count: count))
            #expect(throws: Never.self) { try apns.capabilities.check(.devices([token]), of: APNs.id) }
        }
        let refused: [(token: String, kind: PushError.Kind)] = [
            ("00zz", .invalidArgument), ("", .invalidArgument), (String(repeating: "0", count: 1002), .tooLong),
        ]
        for (token, kind) in refused {
            expectThrows(.error(kind)) { try apns.capabilities.check(.devices([DeviceID(token)]), of: APNs.id) }
        }
    }

    @Test("a key that makes a repeated send harmless does not exist; a send is repeated only if the caller says so")
    func keys() throws {
        let key = IdempotencyKey("k", kind: .push, mintedAt: .distantPast, expiresAt: .distantFuture)
        var apns = try Shop.apns()
        let context = SendContext(at: Shop.now, key: key)
        expectThrows(.error(.unsupported)) { try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context) }
        apns.acceptsDuplicates = true
        let send = try apns.send(Shop.shown(), to: Shop.devices(1), in: SendContext(at: Shop.now))
        #expect(send.idempotency == .idempotent)
    }

    @Test("options of the payload go with every type that has a use for them", arguments: APNsPushType.allCases)
    func filters(type: APNsPushType) throws {
        guard type != .mdm else { return }
        var aps = APSOptions()
        aps.filterCriteria = "work"
        let message = try Shop.message(type).option(\.aps, aps)
        #expect(try Shop.request(of: message).json()["aps"]?["filter-criteria"] == "work")
    }

    @Test("typed options are the same as those in JSON, and are read as they were set")
    func typed() throws {
        var aps = APSOptions()
        aps.alert = APSOptions.Alert()
        aps.alert?.launchImage = "start"
        aps.alert?.actionKey = "OPEN"
        aps.alert?.summaryArgument = "Ann"
        aps.alert?.summaryArgumentCount = 2
        aps.sound = APSOptions.CriticalSound("a.caf", volume: 0.5)
        aps.targetContentID = "window"
        aps.relevanceScore = 0.25
        aps.filterCriteria = "work"
        aps.urlArguments = ["a", "b"]
        var options = APNsOptions(pushType: .alert)
        options.topic = Apple.cafe
        options.priority = 1
        options.collapseID = "col"
        options.aps = aps
        var message = Message(notification: Notification(body: "B"))
        try message.set(options)
        #expect(try message.options(APNsOptions.self) == options)
        let written: JSONValue = [
            "alert": ["launch-image": "start", "action-loc-key": "OPEN", "summary-arg": "Ann", "summary-arg-count": 2],
            "sound": ["name": "a.caf", "volume": .number(0.5), "critical": 1], "target-content-id": "window",
            "relevance-score": .number(0.25), "filter-criteria": "work", "url-args": ["a", "b"],
        ]
        let json: JSONValue = [
            "pushType": "alert", "topic": "com.example.cafe", "priority": 1, "collapseID": "col", "aps": written,
        ]
        #expect(try message == Message(["notification": ["body": "B"]], options: json, of: "apns"))
    }

    @Test("a number is written with the digits that were given, and options of other vendors are ignored")
    func digits() throws {
        let aps = #"{"relevance-score":0.57,"sound":{"critical":1,"name":"a","volume":0.57}}"#
        let options = try JSONValue(parsing: Array(#"{"acme":{"number":1},"apns":{"aps":\#(aps)}}"#.utf8))
        let message = try Message(["notification": ["body": "B"], "options": options], options: nil, of: "")
        #expect(try Shop.request(of: message).body.text == #"{"aps":{"alert":"B",\#(aps.dropFirst())}"#)
    }
}
