import FoundationEssentials
import PushAdapter
import PushSimulation
import PushWebhooks
import Testing

@Suite("Wall times")
struct WallClockTests {
    private static let moment = Date(timeIntervalSince1970: 1_796_117_400)

    @Test("a moment is written and read in its zone, with all zeros")
    func moments() throws {
        for (hours, text) in [(0, "2026-12-01 09:30:00"), (8, "2026-12-01 17:30:00"), (-3, "2026-12-01 06:30:00")] {
            let clock = try WallClock(.seconds(hours * 3600))
            #expect(try clock.text(Self.moment) == text && clock.date(text) == Self.moment)
            #expect(WallTime(ahead: hours).text(Self.moment) == text)
            #expect(WallTime(ahead: hours).date(text) == Self.moment)
        }
    }

    @Test(
        "what is no moment is none, however large its numbers are",
        arguments: [
            "", "2026-12-01", "2026-12-1 09:30:00", "2026-02-30 09:30:00", "2026-12-01 24:00:00",
            "2026-12-01T09:30:00", "2026/12/01 09:30:00", "2026-12-01 09:30:0x", "+026-12-01 09:30:00",
            "2026-12-9223372036854775807 00:00:00", "9223372036854775807-01-01 00:00:00",
        ])
    func noMoments(text: String) throws {
        #expect(try WallClock(.zero).date(text) == nil)
        #expect(WallTime(ahead: 0).date(text) == nil)
    }

    @Test(
        "a time of the day has three numbers of a clock", arguments: ["24:00:00", "09:30", "09:xx:30:00", "", "a:b:c"])
    func noTimes(text: String) {
        #expect(WallClock.time(text) == nil && WallTime.time(text) == nil)
        #expect(WallClock.time("09:05:00") == TimeOfDay(hour: 9, minute: 5))
    }

    @Test("an offset that no zone has, and a year without four digits, are refused")
    func refusals() throws {
        #expect(throws: PushError.self) { try WallClock(.seconds(100 * 3600)) }
        #expect(throws: PushError.self) { try WallClock(.zero).text(Date(timeIntervalSince1970: 1e12)) }
    }
}

@Suite("Nonces")
struct NonceTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("a nonce is claimed once until it expires, and again once it was released")
    func claims() async {
        let store = MemoryNonceStore()
        func claim(_ nonce: String, after seconds: Double = 0, life: Double = 300) async -> Bool {
            let date = now.addingTimeInterval(seconds)
            return await store.claim(nonce, until: date.addingTimeInterval(life), at: date)
        }
        #expect(await claim("a"))
        #expect(await !claim("a"))
        #expect(await claim("b", life: 100_000))
        await store.release("a")
        #expect(await claim("a", after: 1))
        #expect(await !claim("a", after: 299))
        #expect(await claim("a", after: 302))
        // One long-lived nonce does not keep the others in memory.
        for number in 0..<100 { #expect(await claim("n\(number)", after: 1000 + Double(number) * 10)) }
        #expect(await !claim("b", after: 2000))
        #expect(await store.count < 70)
    }
}

@Suite("HTTP Basic")
struct BasicTests {
    @Test("the pair is encoded, and the field is kept out of header tables")
    func field() {
        let secret = Secret.basic("Aladdin", Secret("open sesame"))
        let field = secret.field(.authorization)
        #expect(field.value == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" && field.indexingStrategy == .disallow)
        #expect(!"\(secret)".contains("QWx"))
    }
}

@Suite("Queries of a simulator")
struct QueryTests {
    @Test("names are repeated, pluses are blanks, and a broken escape is no value")
    func parameters() {
        func request(_ query: String) -> SimulatedRequest {
            SimulatedRequest(method: .get, path: "/", query: query, headers: [:], body: [])
        }
        #expect(request("tags=a&tags=b&x=1").parameters("tags") == ["a", "b"])
        #expect(request("q=a+b%2Bc%20d").parameter("q") == "a b+c d")
        #expect(request("q=").parameter("q") == "" && request("q").parameter("q") == "")
        #expect(request("q=%zz").parameter("q") == nil && request("x=1").parameter("q") == nil)
    }
}
