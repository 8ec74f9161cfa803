import Foundation
import PushAdapter
import PushFCM
import TestSupport
import Testing

@Suite("FCM errors")
struct DiagnosisTests {
    private static let rows: [DocumentedRow] = fixture("errors.json") ?? []

    private static let type = "type.googleapis.com/"

    private func diagnose(
        _ status: Int, _ body: JSONValue, for operation: Feature = .send, topicAPI: FCM.TopicAPI = .subscriptions
    ) throws -> PushError? {
        let response = WireResponse(status: status, body: JSONWriter.bytes(of: body))
        let fcm = try FCM(Firebase.account(), topicAPI: topicAPI)
        return fcm.diagnose(response, to: VendorCall(operation, WireRequest(.post, "fcm")))
    }

    private func envelope(_ status: String, _ details: [JSONValue] = []) -> JSONValue {
        ["error": ["code": 400, "message": "text", "status": .string(status), "details": .array(details)]]
    }

    private func detail(_ type: String, _ fields: [String: JSONValue]) -> JSONValue {
        .object(fields.merging(["@type": .string(Self.type + type)]) { $1 })
    }

    private func fcmError(_ code: String) -> JSONValue {
        detail("google.firebase.fcm.v1.FcmError", ["errorCode": .string(code)])
    }

    @Test("every documented code is mapped with its retry, and no code is mapped that is not documented")
    func table() throws {
        #expect(Self.rows.count == FCM.errorRows.count)
        for row in Self.rows {
            let mapped = try #require(FCM.errorRows.row(row.code, on: row.surface), "\(row.surface) \(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.surface) \(row.code)")
            #expect(!mapped.advice.isEmpty && !mapped.source.isEmpty)
            // Only a failure inside the vendor may have had an effect.
            #expect((mapped.effect == .unknown) == (mapped.kind == .server || row.code == "UNSPECIFIED_ERROR"))
        }
    }

    @Test("every code is read where it stands, and kept")
    func surfaces() throws {
        for row in Self.rows {
            let code = JSONValue.string(row.code.rawValue)
            let status = row.http ?? 400
            let error =
                switch row.surface {
                case "send": try diagnose(status, envelope("INTERNAL", [fcmError(row.code.rawValue)]))
                case "reason":
                    try diagnose(status, envelope("OTHER", [detail("google.rpc.ErrorInfo", ["reason": code])]))
                case "instance":
                    try diagnose(
                        status, ["results": [["error": code]]], for: .addTags, topicAPI: .instanceID)
                case "status": try diagnose(status, envelope(row.code.rawValue))
                default: try diagnose(status, ["error": code, "error_description": "text"], for: .mintToken)
                }
            let found = try #require(error, "\(row.surface) \(row.code)")
            #expect(found.vendor?.code == row.code && found.vendor?.httpStatus == status)
            #expect(found.kind == FCM.errorRows.row(row.code, on: row.surface)?.kind)
        }
    }

    @Test("a whole call of Instance ID is read by its status, because its texts are no codes")
    func instanceID() throws {
        func kind(_ status: Int, _ text: String) throws -> PushError.Kind? {
            try diagnose(status, ["error": .string(text)], for: .addMembers, topicAPI: .instanceID)?.kind
        }
        #expect(try kind(403, "PERMISSION_DENIED") == .unauthorized && kind(429, "Quota") == .rateLimited)
        #expect(try kind(400, "InvalidTopicName") == .invalidArgument && kind(500, "InternalServerError") == .server)
        let renewed = try diagnose(401, ["error": "Unauthorized"], for: .readTags, topicAPI: .instanceID)
        #expect(renewed?.retry == .afterRenewal)
        // A response with several results does not refuse the whole call.
        let results: JSONValue = ["results": [[:], ["error": "NOT_FOUND"]]]
        #expect(try diagnose(200, results, for: .addMembers, topicAPI: .instanceID) == nil)
    }

    @Test("a refusal of one device's tag says of the device what a refusal of a send does")
    func verdictOfTags() throws {
        let foreign = envelope("PERMISSION_DENIED", [fcmError("SENDER_ID_MISMATCH")])
        #expect(try diagnose(403, foreign, for: .addTags)?.vendor?.verdict == .suspect)
        let gone = envelope("NOT_FOUND", [fcmError("UNREGISTERED")])
        #expect(try diagnose(404, gone, for: .removeTags)?.vendor?.verdict == .dead())
        // Without an FcmError, the project may be the cause.
        #expect(try diagnose(404, envelope("NOT_FOUND"), for: .addTags)?.vendor?.verdict == .suspect)
        #expect(try diagnose(404, envelope("NOT_FOUND"), for: .send)?.vendor?.verdict == nil)
        func verdict(_ code: JSONValue) throws -> TargetVerdict? {
            let reply: JSONValue = ["results": [["error": code]]]
            return try diagnose(200, reply, for: .addTags, topicAPI: .instanceID)?.vendor?.verdict
        }
        #expect(try verdict("NOT_FOUND") == .dead() && verdict("PERMISSION_DENIED") == .suspect)
        #expect(try verdict("RESOURCE_EXHAUSTED") == nil)
        let account = try diagnose(403, ["error": "PERMISSION_DENIED"], for: .addTags, topicAPI: .instanceID)
        #expect(account?.vendor?.verdict == nil)
    }

    @Test("Instance ID has a result for each device, in the order of the request")
    func instanceResults() throws {
        let fcm = try FCM(Firebase.account(), topicAPI: .instanceID)
        let codes = [
            "NOT_FOUND", "INVALID_ARGUMENT", "PERMISSION_DENIED", "TOO_MANY_TOPICS", "RESOURCE_EXHAUSTED", "INTERNAL",
        ]
        let devices = (0...codes.count).map { DeviceID("d\($0)") }
        let exchange = try fcm.changeInstances(of: "vip", .add(devices))
        let results = [[:] as JSONValue] + codes.map { ["error": .string($0)] }
        let body = JSONWriter.bytes(of: ["results": .array(results)])
        #expect(
            try exchange.decode(WireResponse(status: 200, body: body)).exceptions == [
                "d1": .invalid(), "d2": .invalid(), "d3": .suspect, "d4": .rejected(mayRetry: false),
                "d5": .rejected(mayRetry: true), "d6": .unknown,
            ])
        // With one result too few, the response says nothing about any device.
        let short = JSONWriter.bytes(of: ["results": .array(Array(results.dropLast()))])
        #expect(throws: PushError.self) { try exchange.decode(WireResponse(status: 200, body: short)) }
    }

    @Test("the FcmError counts first, in whatever order the details come")
    func order() throws {
        let info = detail("google.rpc.ErrorInfo", ["reason": "ACCESS_TOKEN_EXPIRED"])
        for details in [[info, fcmError("QUOTA_EXCEEDED")], [fcmError("QUOTA_EXCEEDED"), info]] {
            #expect(try diagnose(429, envelope("UNAUTHENTICATED", details))?.vendor?.code == "QUOTA_EXCEEDED")
        }
    }

    @Test("401 has two meanings: a new token helps against the one, and not against the other")
    func unauthorized() throws {
        #expect(try diagnose(401, envelope("UNAUTHENTICATED"))?.retry == .afterRenewal)
        let thirdParty = try diagnose(401, envelope("UNAUTHENTICATED", [fcmError("THIRD_PARTY_AUTH_ERROR")]))
        #expect(thirdParty?.retry == .never && thirdParty?.vendor?.verdict == .isolated)
    }

    @Test("a target is dead only by the vendor's word")
    func verdicts() throws {
        func apns(_ status: Int, _ reason: String) -> JSONValue {
            detail(
                "google.firebase.fcm.v1.ApnsError",
                ["statusCode": JSONValue(integerLiteral: status), "reason": .string(reason)])
        }
        let apple = apns(410, "Unregistered")
        func violation(_ field: String) -> JSONValue {
            detail("google.rpc.BadRequest", ["fieldViolations": [["field": .string(field), "description": "d"]]])
        }
        let invalid = "INVALID_ARGUMENT"
        let cases: [(Int, JSONValue, TargetVerdict?)] = [
            (404, envelope("NOT_FOUND", [fcmError("UNREGISTERED")]), .dead()),
            (404, envelope("NOT_FOUND", [apple, fcmError("UNREGISTERED")]), .dead()),
            (400, envelope(invalid, [fcmError(invalid), apple]), .dead()),
            // A good token of the other environment gets the same error.
            (400, envelope(invalid, [fcmError(invalid), apns(400, "BadDeviceToken")]), .suspect),
            (400, envelope(invalid, [violation("message.token"), fcmError(invalid)]), .dead()),
            (400, envelope(invalid, [violation("message.data"), fcmError(invalid)]), nil),
            (400, envelope(invalid, [fcmError(invalid)]), nil), (400, envelope(invalid), nil),
            (403, envelope("PERMISSION_DENIED", [fcmError("SENDER_ID_MISMATCH")]), .suspect),
            (403, envelope("PERMISSION_DENIED"), nil),
            // The rate of one device or topic. The project's quota has its own reason.
            (429, envelope("RESOURCE_EXHAUSTED", [fcmError("QUOTA_EXCEEDED")]), .isolated),
            (
                429,
                envelope(
                    "RESOURCE_EXHAUSTED",
                    [fcmError("QUOTA_EXCEEDED"), detail("google.rpc.ErrorInfo", ["reason": "RATE_LIMIT_EXCEEDED"])]),
                nil
            ),
            // The project or the path is wrong, so no token is dead.
            (404, envelope("NOT_FOUND"), nil),
        ]
        for (status, body, verdict) in cases { #expect(try diagnose(status, body)?.vendor?.verdict == verdict) }
    }

    @Test(
        "what Apple says of the token of a Live Activity says nothing against the device",
        arguments: [(410, "Unregistered"), (400, "BadDeviceToken")])
    func activityTokens(status: Int, reason: String) throws {
        let apple = detail(
            "google.firebase.fcm.v1.ApnsError",
            ["statusCode": JSONValue(integerLiteral: status), "reason": .string(reason)])
        let body = JSONWriter.bytes(of: envelope("INVALID_ARGUMENT", [fcmError("INVALID_ARGUMENT"), apple]))
        let fcm = try FCM(Firebase.account())
        var message = Message(liveActivity: LiveActivityUpdate(.end).json)
        try message.set(FCMOptions(liveActivityToken: "a1b2c3"))
        let call = try fcm.send(message, to: .devices(["t"]), in: SendContext(at: Date())).call
        let error = fcm.diagnose(WireResponse(status: 400, body: body), to: call)
        #expect(error?.vendor?.verdict == .isolated)
        #expect(error?.message.contains("Live Activity") == true)
        // The device itself may still be gone.
        let gone = JSONWriter.bytes(of: envelope("NOT_FOUND", [fcmError("UNREGISTERED")]))
        #expect(
            fcm.diagnose(WireResponse(status: 404, body: gone), to: call)?.vendor?.verdict == .dead())
    }

    @Test("a refusal that also names a message may have been carried out")
    func contradiction() throws {
        let body: JSONValue = ["name": "projects/p/messages/1", "error": ["status": "RESOURCE_EXHAUSTED"]]
        for status in [200, 429] { #expect(try diagnose(status, body)?.effect == .unknown) }
    }

    @Test(
        "a subscription is made whatever form of it the response has, and not by the word of others",
        arguments: [
            ("{}", true), (#"{"topic_name":"a"}"#, true), (#"{"topicName":"a"}"#, true),
            (#"{"ok":true}"#, false), ("[]", false), ("", false),
        ])
    func subscriptions(body: String, isMade: Bool) throws {
        let exchange = try FCM(Firebase.account()).addTags(["a"], to: "t")
        var effect: PushError.Effect?
        do throws(PushError) {
            try exchange.decode(WireResponse(status: 200, body: Array(body.utf8)))
        } catch {
            effect = error.effect
        }
        #expect(effect == (isMade ? nil : .unknown))
    }

    @Test("a topic that an app named in its own way is no tag of ours")
    func foreignTopics() throws {
        let exchange = try FCM(Firebase.account(), topicPrefix: "s-").readTags(of: "t")
        let body =
            #"{"topic_subscriptions":[{"topic_name":"s-a%2Fb"},{"topic_name":"s-a%2fc"},{"topic_name":"s-%41"},"#
            + #"{"topicName":"s-d"},{"name":"projects/p/registrations/t/topicSubscriptions/s-e"},{"topic_name":"x"}]}"#
        #expect(try exchange.decode(WireResponse(status: 200, body: Array(body.utf8))) == ["a/b", "d", "e"])
        #expect(try exchange.decode(WireResponse(status: 200, body: Array("{}".utf8))) == [])
    }

    @Test("a page, a text in place of the object, and a broken list of details are errors without a guess")
    func strange() throws {
        let fcm = try FCM(Firebase.account())
        func diagnose(_ status: Int, _ text: String) -> PushError? {
            fcm.diagnose(
                WireResponse(status: status, body: Array(text.utf8)), to: VendorCall(.send, WireRequest(.post, "fcm")))
        }
        let page = diagnose(502, "<html>temporary error</html>")
        #expect(page?.kind == .server && page?.effect == .unknown)
        #expect(diagnose(404, "<html>")?.vendor?.verdict == nil)
        #expect(diagnose(400, #"{"error":"InvalidToken"}"#)?.vendor?.verdict == nil)
        let broken = diagnose(429, #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[7,{"@type":3}]}}"#)
        #expect(broken?.kind == .rateLimited)
        #expect(diagnose(200, "{}") == nil)
    }
}
