import Foundation
import PushAdapter
import PushXiaomi
import TestSupport
import Testing

@Suite("Xiaomi calls")
struct CallTests {
    private static func done(_ data: JSONValue) -> WireResponse { Shop.answer(["code": 0, "data": data]) }

    @Test("the secret signs each request, with key in small letters")
    func authorization() throws {
        let xiaomi = try Shop.xiaomi()
        let request = try xiaomi.probe().request
        let fields = try xiaomi.authorizer.authorize(request, as: .app, with: nil, at: Shop.now)
        #expect(fields[.authorization] == "key=s3+cr/t" && fields.count == 1)
        #expect(throws: PushError.self) {
            try xiaomi.authorizer.authorize(request, as: .group, with: nil, at: Shop.now)
        }
        #expect(try request.target() == "/v1/trace/quota/get?restricted_package_name=com.example.shop")
        #expect(request.method == .get)
    }

    @Test("tags and accounts of a device are read, also if it has none")
    func reads() throws {
        let xiaomi = try Shop.xiaomi()
        let tags = try xiaomi.readTags(of: "reg/0=")
        #expect(
            try tags.request.target()
                == "/v1/topic/all?registration_id=reg%2F0%3D&restricted_package_name=com.example.shop")
        #expect(tags.idempotency == .idempotent)
        #expect(try tags.decode(Self.done(["list": ["vip", "new"]])) == ["vip", "new"])
        #expect(try tags.decode(Self.done([:])) == [])
        #expect(throws: PushError.self) { try tags.decode(Shop.answer(["code": 0])) }
        let accounts = try xiaomi.readAccounts(of: "r")
        #expect(try accounts.request.target().hasPrefix("/v1/account/all?registration_id=r&"))
        #expect(try accounts.decode(Self.done(["list": ["ann"]])) == [Account(name: "ann")])
    }

    @Test("one tag is changed for many devices or one, and a device that the vendor does not know is named")
    func changes() throws {
        let xiaomi = try Shop.xiaomi()
        let change = try xiaomi.changeMembers(of: "vip", .add(["a", "b"]))
        #expect(try change.request.target() == "/v2/topic/subscribe" && change.idempotency == .idempotent)
        let expected = ["topic": "vip", "registration_id": "a,b", "restricted_package_name": Shop.package]
        #expect(change.request.form == expected)
        #expect(try change.decode(Self.done([:])) == SendReceipt())
        #expect(try change.decode(Self.done(["bad_regids": "b"])).exceptions == ["b": .invalid()])
        let one = try #require(try xiaomi.roles.tags.remove?(["vip"], "a"))
        #expect(try one.request.target() == "/v2/topic/unsubscribe" && one.operation == .removeTags)
        #expect(throws: Never.self) { try one.decode(Self.done([:])) }
        let error = #expect(throws: PushError.self) { try one.decode(Self.done(["bad_regids": "a"])) }
        #expect(error?.kind == .noTarget && error?.vendor?.verdict == .suspect)
        #expect(throws: PushError.self) { try xiaomi.changeMembers(of: "vip", .add(["a", "b,c"])) }
    }

    @Test("a schedule is a message with a time, and is deleted by its message's id")
    func schedules() throws {
        let xiaomi = try Shop.xiaomi()
        var schedule = Schedule(
            name: "sale", trigger: .once(Date(timeIntervalSince1970: 1_795_251_600)), message: try Shop.message(),
            audience: .everyone)
        let create = try xiaomi.createSchedule(schedule, key: nil)
        #expect(try create.request.target() == "/v3/message/all" && create.operation == .createSchedule)
        #expect(create.request.form?["time_to_send"] == "1795251600000" && create.idempotency == .unkeyed)
        #expect(try create.decode(Self.done(["id": "Xcm01ab"])) == "Xcm01ab")
        #expect(try xiaomi.createSchedule(schedule, key: nil).request == create.request)
        let remove = try xiaomi.removeSchedule("Xcm01ab")
        #expect(try remove.request.target() == "/v2/schedule_job/delete")
        #expect(remove.request.form?["job_id"] == "Xcm01ab")
        let key = IdempotencyKey("12345678", kind: .schedule, mintedAt: Shop.now, expiresAt: Shop.now)
        #expect(throws: PushError.self) { try xiaomi.createSchedule(schedule, key: key) }
        let refused: [ScheduleTrigger] = [
            .once(Date(timeIntervalSince1970: 1e300)),
            .recurring(Recurrence(from: Shop.now, to: Shop.now, at: TimeOfDay(hour: 9, minute: 0), .daily)),
        ]
        for trigger in refused {
            schedule.trigger = trigger
            #expect(throws: PushError.self) { try xiaomi.createSchedule(schedule, key: nil) }
        }
    }

    @Test("a dry run tells what a class lacks")
    func remarks() throws {
        let xiaomi = try Shop.xiaomi { $0.capabilities.classes.words = ["xiaomi": [.service: "1"]] }
        let remarks = try #require(xiaomi.roles.remarks)
        func said(_ fields: [String: JSONValue]) throws -> String {
            remarks(try Shop.message(.object(["notification": ["title": "T", "body": "B"]].merging(fields) { $1 })))
                .joined()
        }
        #expect(try said([:]).contains("defaultClass"))
        #expect(try said(["class": ["intent": "marketing"]]).contains("xiaomi.marketing=WORD"))
        #expect(try said(["class": ["intent": "service"]]).contains("template"))
        let template: JSONValue = ["intent": "service", "template": ["ids": ["xiaomi": "P1"]]]
        #expect(try said(["class": template]) == "")
    }
}
