import FoundationEssentials
import HostileServer
import PushAdapter
import PushClient
import PushHTTP2
import Testing

/// Servers that refuse streams or tokens, or close: accepted requests, retried requests, and requests with an unknown
/// outcome. Each report is compared with the server's log.
@Suite("APNs, refusals and goodbyes", .timeLimit(.minutes(5)))
struct APNsGoodbyeTests {
    @Test("a refused stream is sent again: every token is accepted once", arguments: [false, true])
    func refusedStreams(isTwice: Bool) async throws {
        // More refusals than the retry budget covers.
        let tokens = HostileAPNs.tokens(300)
        let refused = Set(tokens.enumerated().filter { $0.offset % 10 == 3 }.map(\.element))
        let seen = Locked<Set<String>>([])
        try await HostileAPNs.run(streams: 500) { connection in
            while let request = connection.next() {
                let isNew = seen.withLock { $0.insert(request.deviceToken).inserted }
                if isNew, refused.contains(request.deviceToken) {
                    connection.refuseStream(request, isTwice: isTwice)
                } else {
                    connection.accept(request)
                }
            }
        } _: { (apns) async throws in
            let outcome = try await apns.send(tokens)
            apns.check(outcome)
            #expect(outcome.report.isComplete && apns.log.opened == 1)
            let fates = apns.log.fates
            for token in tokens {
                let expected: [APNsLog.Fate] = refused.contains(token) ? [.refusedStream, .accepted] : [.accepted]
                #expect(fates[token] == expected)
            }
        }
    }

    @Test("without a retry, a refused stream leaves its token for a second send")
    func refusedWithoutRetry() async throws {
        let seen = Locked<Set<String>>([])
        try await HostileAPNs.run(retry: .none) { connection in
            while let request = connection.next() {
                let isNew = seen.withLock { $0.insert(request.deviceToken).inserted }
                if isNew { connection.refuseStream(request) } else { connection.accept(request) }
            }
        } _: { (apns) async throws in
            let tokens = HostileAPNs.tokens(40)
            let first = try await apns.send(tokens)
            apns.check(first)
            #expect(first.error?.kind == .transport && first.error?.effect == .notApplied)
            #expect(first.statuses.values.allSatisfy { $0 == .notAttempted })
            let second = try await apns.send(first.report.retryable().map(\.text))
            apns.check(second)
            #expect(second.report.isComplete && second.statuses.count == 40)
            #expect(apns.log.fates.values.allSatisfy { $0 == [.refusedStream, .accepted] })
        }
    }

    @Test("a GOAWAY divides what is in flight: the unprocessed is sent again, the unanswered is unknown and is not")
    func goAway() async throws {
        try await HostileAPNs.run { connection in
            if connection.number == 1 {
                let held = connection.http2.requests(6).sorted { $0.stream < $1.stream }
                guard held.count == 6 else { return }
                connection.note(held[2...3], .lost)
                connection.note(held[4...5], .unprocessed)
                connection.leave(last: held[3].stream, because: "Shutdown")
                for request in held[..<2] { connection.accept(request) }
                connection.http2.settle()
                return
            }
            while let request = connection.next() { connection.accept(request) }
        } _: { (apns) async throws in
            let outcome = try await apns.send(HostileAPNs.tokens(6))
            apns.check(outcome)
            #expect(outcome.report.acceptedCount == 4 && outcome.report.retryable().isEmpty)
            #expect(outcome.statuses.values.count { $0 == .unknown } == 2)
            #expect(outcome.report.slices.first?.failures == [.transport: 2])
            let fates = apns.log.fates.values
            #expect(fates.count { $0 == [.accepted] } == 2)
            #expect(fates.count { $0 == [.lost] } == 2)
            #expect(fates.count { $0 == [.unprocessed, .accepted] } == 2)
            #expect(apns.log.opened == 2)
        }
    }

    @Test("a GOAWAY before hundreds of requests costs none of them, whatever the retry budget")
    func fullConnection() async throws {
        let count = 400
        try await HostileAPNs.run(streams: 500) { connection in
            guard connection.number == 1 else {
                while let request = connection.next() { connection.accept(request) }
                return
            }
            // The first response shows the client that the connection is good.
            guard let first = connection.next() else { return }
            connection.accept(first)
            let held = connection.http2.requests(count)
            guard held.count == count else { return }
            connection.note(held[...], .unprocessed)
            connection.leave(last: first.stream, because: "Shutdown")
            connection.http2.settle()
        } _: { (apns) async throws in
            let warm = try await apns.send(HostileAPNs.tokens(1, from: count))
            apns.check(warm)
            let outcome = try await apns.send(HostileAPNs.tokens(count))
            apns.check(outcome)
            #expect(outcome.report.isComplete && apns.log.opened == 2)
            #expect(apns.log.fates.values.count { $0 == [.unprocessed, .accepted] } == count)
        }
    }

    @Test("a GOAWAY before the first request was processed, said twice, costs a connection and no push")
    func goAwayWithReason() async throws {
        try await HostileAPNs.run { connection in
            if connection.number == 1 {
                connection.note(connection.http2.requests(8), .unprocessed)
                connection.leave(last: 0, because: "BadCertificateEnvironment")
                // Waits until the client closes.
                while connection.http2.read() != nil {}
                return
            }
            while let request = connection.next() { connection.accept(request) }
        } _: { (apns) async throws in
            let outcome = try await apns.send(HostileAPNs.tokens(8))
            apns.check(outcome)
            #expect(outcome.report.isComplete && apns.log.opened == 2)
            #expect(apns.log.fates.values.allSatisfy { $0 == [.unprocessed, .accepted] })
        }
    }

    @Test("if every connection ends so, the send says that nothing was sent, and the server is not hammered")
    func goAwayAlways() async throws {
        try await HostileAPNs.run { connection in
            guard connection.next() != nil else { return }
            connection.leave(last: 0, because: "BadCertificateEnvironment")
            while connection.http2.read() != nil {}
        } _: { (apns) async throws in
            let outcome = try await apns.send(HostileAPNs.tokens(5))
            apns.check(outcome)
            #expect(outcome.error?.kind == .transport && outcome.error?.effect == .notApplied)
            #expect(outcome.error?.message.contains("BadCertificateEnvironment") == true)
            #expect(outcome.statuses.values.allSatisfy { $0 == .notAttempted })
            #expect(outcome.report.retryable().count == 5)
            // Five requests, and the ten retries that a new client may make.
            #expect(apns.journal.heads.count <= 15 && apns.log.opened <= 15)
        }
    }

    @Test("bad tokens end connections: good ones in flight are accepted, sent again or unknown, and none is forgotten")
    func badTokens() async throws {
        let tokens = HostileAPNs.tokens(60)
        let bad = Set(tokens.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
        try await HostileAPNs.run(.patient { $0.maxConnections = 1 }, streams: 16) { connection in
            var refusals = 0
            while let request = connection.next() {
                guard bad.contains(request.deviceToken) else {
                    connection.accept(request)
                    continue
                }
                connection.refuse(request, 400, "BadDeviceToken")
                refusals += 1
                if refusals == 4 { return Self.leaveInTheMiddle(connection, after: request, bad) }
            }
        } _: { (apns) async throws in
            var statuses: [String: TargetStatus] = [:]
            var rest = tokens
            // The test resends the requests that the retry budget left over.
            for _ in 0..<10 where !rest.isEmpty {
                let outcome = try await apns.send(rest)
                apns.check(outcome)
                statuses.merge(outcome.statuses) { $1 }
                rest = outcome.report.retryable().map(\.text)
            }
            #expect(rest.isEmpty && statuses.count == 60)
            for (token, status) in statuses {
                let expected: TargetStatus = bad.contains(token) ? .suspect : .accepted
                #expect(status == .unknown || status == expected)
            }
            let contradictions = apns.log.contradictions(to: statuses)
            #expect(contradictions.isEmpty, "\(contradictions)")
            let fates = apns.log.fates.values.flatMap { $0 }
            #expect(fates.contains(.lost) && fates.contains(.unprocessed) && apns.log.opened > 1)
        }
    }

    /// Processes half of the requests in flight, answers every second one of these, and closes.
    private static func leaveInTheMiddle(
        _ connection: APNsConnection, after last: HostileHTTP2.Request, _ bad: Set<String>
    ) {
        let http2 = connection.http2
        guard http2.settle() else { return }
        let held = http2.requests(http2.active.count).sorted { $0.stream < $1.stream }
        let processed = held.prefix(held.count / 2)
        connection.note(held.dropFirst(processed.count), .unprocessed)
        let answered = processed.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        connection.note(processed.enumerated().filter { $0.offset % 2 == 1 }.map(\.element), .lost)
        let end = processed.last?.stream ?? held.first.map { $0.stream - 2 } ?? last.stream
        connection.leave(last: end, because: "BadDeviceToken")
        for request in answered {
            if bad.contains(request.deviceToken) {
                connection.refuse(request, 400, "BadDeviceToken")
            } else {
                connection.accept(request)
            }
        }
        http2.settle()
    }

    @Test("dead tokens, with and without a date, and suspect ones stand in the report", arguments: [true, false])
    func deadTokens(isBare: Bool) async throws {
        let tokens = HostileAPNs.tokens(6)
        try await HostileAPNs.run { connection in
            while let request = connection.next() {
                switch tokens.firstIndex(of: request.deviceToken) {
                case 0: connection.refuse(request, 410, "Unregistered", timestamp: 1_789_161_600_123, isBare: isBare)
                case 1: connection.refuse(request, 410, "ExpiredToken", isBare: isBare)
                case 2: connection.refuse(request, 400, "BadDeviceToken", isBare: isBare)
                case 3: connection.refuse(request, 400, "DeviceTokenNotForTopic", isBare: isBare)
                case 4: connection.refuse(request, 413, "PayloadTooLarge", isBare: isBare)
                default: connection.accept(request)
                }
            }
        } _: { (apns) async throws in
            let outcome = try await apns.send(tokens)
            apns.check(outcome)
            let statuses = tokens.map { outcome.statuses[$0] ?? .notAttempted }
            if case .invalid(since: let date?) = statuses[0] {
                #expect(abs(date.timeIntervalSince1970 - 1_789_161_600.123) < 0.001)
            } else {
                Issue.record("the report has no date since when the token is dead: \(statuses[0])")
            }
            #expect(
                Array(statuses.dropFirst()) == [
                    .invalid(), .suspect, .suspect, .rejected(mayRetry: false), .accepted,
                ])
            #expect(outcome.report.exceptions.map(\.isSaidByVendor) == [true, true, true, true, false])
            #expect(outcome.report.invalidTargets.map(\.text) == Array(tokens[..<2]))
            #expect(outcome.report.retryable().isEmpty && outcome.report.interruption == nil)
            #expect(apns.log.fates.values.allSatisfy { $0.count == 1 })
        }
    }
}
