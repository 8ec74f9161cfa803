import Foundation
import PushAdapter
import PushDevice
import PushPhone
import PushStyles
import Testing

/// The result numbers of the device SDKs, in both directions. The ids are those of `Tests/Contract/cases.json`.
@Suite("Numbers of the device SDKs")
struct CodeTests {
    typealias Row = (code: Int, kind: PushError.Kind, retry: ResultCodes.Retry)

    /// The guides' table, and its advice on retries.
    static let guide: [Row] = [
        (1005, .unauthorized, .never), (1008, .unauthorized, .never), (1009, .unauthorized, .never),
        (6001, .invalidArgument, .never), (6002, .timeout, .later), (6003, .invalidArgument, .never),
        (6004, .tooLong, .never), (6005, .invalidArgument, .never), (6006, .tooLong, .never),
        (6007, .limitExceeded, .never), (6008, .tooLong, .never), (6009, .unknown, .once),
        (6011, .rateLimited, .later), (6012, .stopped, .never), (6013, .deviceClock, .never),
        (6014, .rateLimited, .later), (6015, .blocked, .never), (6016, .notRegistered, .never),
        (6017, .invalidArgument, .never), (6018, .limitExceeded, .never), (6019, .server, .later),
        (6020, .server, .once), (6021, .busy, .later), (6022, .busy, .later), (6023, .invalidArgument, .never),
        (6024, .server, .later), (6025, .tooLong, .never),
    ]

    @Test("G-180: each number has its kind, its advice, and stays in the error", arguments: guide)
    func numbers(row: Row) throws {
        let error = try #require(ResultCodes.error(for: row.code))
        #expect(error.kind == row.kind && error.vendor?.code == VendorCode(row.code))
        #expect(error.retry.isAdvised == (row.retry != .never))
        #expect(ResultCodes.rows.filter { $0.code == row.code }.map(\.retry) == [row.retry])
    }

    @Test("G-181: a number that nobody knows is kept, and unknown", arguments: [6010, 9999, -1, .max])
    func unknown(code: Int) throws {
        let error = try #require(ResultCodes.error(for: code))
        #expect(error.kind == .unknown && error.vendor?.code == VendorCode(code) && error.effect == .unknown)
    }

    @Test("0 is no error; 1011 means one thing for a push and another for a device")
    func meanings() {
        #expect(ResultCodes.error(for: 0) == nil)
        #expect(ResultCodes.error(for: 1011)?.kind == .noTarget)
        #expect(ResultCodes.error(for: 1011, of: .addTags)?.kind == .noTarget)
        #expect(ResultCodes.error(for: 1011, of: .registration)?.kind == .notRegistered)
        // An error after which the call may have been applied does not count as "not applied".
        for code in [6002, 6009, 6020, 6024] { #expect(ResultCodes.error(for: code)?.effect == .unknown) }
    }

    @Test("27 numbers of the guides, 1011 twice, each once otherwise")
    func table() {
        let known = ResultCodes.rows.map(\.code).filter { $0 < 9000 }
        #expect(Set(known) == Set(Self.guide.map(\.code) + [1011]))
        #expect(known.count == 29 && Set(ResultCodes.rows.map(\.code)).count == ResultCodes.rows.count - 1)
    }

    private static let kinds: [PushError.Kind] = [
        .invalidArgument, .tooLong, .limitExceeded, .unsupported, .invalidState, .notRegistered, .stopped, .busy,
        .rateLimited, .quotaExhausted, .unauthorized, .blocked, .misconfigured, .noTarget, .deviceClock, .server,
        .timeout, .transport, .malformedResponse, .cancelled, .unknown,
    ]
    private static let subjects: [SessionSubject] = [
        .tags, .alias, .phone, .accounts, .attributes, .badge, .tokens, .language, .service, .query,
    ]

    @Test(
        "every kind of failure has a number that means this kind, whatever the call is about", arguments: kinds,
        subjects)
    func backAndForth(kind: PushError.Kind, subject: SessionSubject) throws {
        for call: SessionCall.Kind? in [nil, .getAllTags, .addTags, .registration] {
            // A request for an id has no audience. There, 1011 means that there is no id.
            if kind == .noTarget, call == .registration { continue }
            let code = ResultCodes.code(for: PushError(kind, "a failure"), about: subject, of: call)
            #expect(code != ResultCodes.success)
            #expect(ResultCodes.error(for: code, of: call)?.kind == kind, "\(code)")
        }
    }

    @Test("a kind that somebody adds is 6009")
    func newKind() {
        #expect(ResultCodes.code(for: PushError("somethingNew", "new"), about: .tags) == 6009)
        #expect(ResultCodes.code(for: PushError(.server, "down"), about: .tags, of: .getAllTags) == 6019)
    }

    private static let roundTrips = Array(Set(ResultCodes.rows.map(\.code))).sorted() + [6010, 9999, -1, .max]

    @Test(
        "G-180, G-181, G-237: a code that becomes an error stays the same code, whatever the call is",
        arguments: roundTrips)
    func roundTrip(code: Int) throws {
        for call: SessionCall.Kind? in [nil, .getAllTags, .addTags, .registration] {
            let error = try #require(ResultCodes.error(for: code, of: call))
            for subject in Self.subjects {
                #expect(ResultCodes.code(for: error, about: subject, of: call) == code)
                #expect(ResultCodes.code(for: SessionFault(error, about: subject), of: call) == code)
            }
            let result = try #require(ResultError(code: code, of: call))
            #expect(result.code == code && result.errorCode == code && result.nsError.code == code)
            let back = try #require(ResultError(result.nsError))
            #expect(back.code == code && back.error.kind == error.kind)
            #expect(ResultCodes.code(for: back.error, about: .tags, of: call) == code)
            // An object of old code has only the number.
            let bare = try #require(ResultError(NSError(domain: ResultError.errorDomain, code: code)))
            #expect(bare.code == code && ResultCodes.code(for: bare.error, about: .alias) == code)
        }
    }

    @Test("a vendor's code is not a code of an SDK, and other errors are not the SDKs'")
    func foreign() {
        let error = PushError(.unauthorized, "a server's 1005", vendor: VendorDetail(code: 1005))
        #expect(ResultCodes.code(for: error, about: .tags) == 1008)
        #expect(ResultError(code: 0) == nil && ResultError(error) == nil)
        #expect(ResultError(NSError(domain: "another", code: 6001)) == nil)
        #expect(ResultError(NSError(domain: ResultError.errorDomain, code: 0)) == nil)
    }
}
