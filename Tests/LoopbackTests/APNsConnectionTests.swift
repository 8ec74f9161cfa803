import HostileServer
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushHTTP2
import PushSimulation
import TestSupport
import Testing

/// The connections that a client opens, keeps and leaves. The servers bind them to keys and tokens as Apple's do. Each
/// report is compared with the server's log.
@Suite("APNs, connections", .timeLimit(.minutes(5)))
struct APNsConnectionTests {
    // MARK: Which connection

    @Test("each key of each team has a connection of its own, and all calls of one key share it")
    func groups() async throws {
        let gate = Gate()
        let held = HostileAPNs.tokens(1, from: 1_000)[0]
        try await HostileAPNs.run { connection in
            while let request = connection.next() {
                if request.deviceToken == held { gate.wait() }
                connection.accept(request)
            }
        } _: { (apns) async throws in
            let keys = [
                apns.key, try TeamKey("KEYTWO0002", of: "TEAMONE001"), try TeamKey("KEYONE0001", of: "TEAMTWO002"),
            ]
            func sendThrice(from first: Int) async throws {
                for part in 0..<3 {
                    let outcome = try await apns.send(HostileAPNs.tokens(5, from: first + 5 * part))
                    apns.check(outcome)
                    #expect(outcome.report.isComplete)
                }
            }
            try await sendThrice(from: 0)
            // This request is in flight while the keys change.
            let waiting = Task { try await apns.send([held]) }
            await until { apns.journal.heads.count == 16 }
            for (index, key) in keys.enumerated().dropFirst() {
                try apns.client.replaceCredentials(with: key.adapter(at: apns.dataCenter))
                try await sendThrice(from: 100 * index)
            }
            gate.open()
            let last = try await waiting.value
            apns.check(last)
            #expect(last.report.isComplete)

            #expect(apns.log.opened == 3 && apns.log.events.count == 46)
            var signers: [String] = []
            for connection in 1...3 {
                // All calls of a key use one token.
                let signatures = apns.log.signatures(on: connection)
                #expect(signatures.count == 1)
                let signature = try #require(signatures.first)
                let key = try #require(keys.first(where: { $0.id == signature.keyID && $0.team == signature.teamID }))
                let isSigned = try key.signed(signature)
                #expect(isSigned)
                signers.append("\(key.team)/\(key.id)")
            }
            #expect(signers == keys.map { "\($0.team)/\($0.id)" })
        }
    }

    @Test(
        "a connection carries one request until the first answer, and no other is opened; then the list fans out",
        arguments: [1, 4], [true, false])
    func tokenFirst(maxConnections: Int, isAnswerFirst: Bool) async throws {
        let most = Locked<(before: [Int], after: Int)>(([], 0))
        let opened = Locked(0)
        try await HostileAPNs.run(.patient { $0.maxConnections = maxConnections }, streams: 1) { connection in
            let http2 = connection.http2
            guard let first = connection.next(), http2.settle() else { return }
            most.withLock { $0.before.append(http2.mostActive) }
            if connection.number == 1 { opened.withLock { $0 = connection.log.opened } }
            if isAnswerFirst {
                connection.accept(first)
                http2.settle()
                http2.change([(.streams, 100)])
            } else {
                http2.together {
                    http2.change([(.streams, 100)])
                    connection.accept(first)
                }
            }
            // How several connections share the list depends on the machine.
            if maxConnections == 1 {
                let held = http2.requests(100)
                most.withLock { $0.after = http2.mostActive }
                for request in held { connection.accept(request) }
            }
            while let request = connection.next() { connection.accept(request) }
        } _: { (apns) async throws in
            let tokens = HostileAPNs.tokens(300)
            let outcome = try await apns.send(tokens)
            apns.check(outcome)
            #expect(outcome.report.isComplete && outcome.report.acceptedCount == 300)
            #expect(apns.journal.paths.sorted() == tokens.map { "/3/device/\($0)" })
            #expect(opened.withLock { $0 } == 1)
            let (before, after) = most.withLock { ($0.before, $0.after) }
            #expect(!before.isEmpty && before.allSatisfy { $0 == 1 })
            // Three hundred requests fill a connection of a hundred streams, so the client may open others.
            #expect((1...maxConnections).contains(apns.log.opened))
            if maxConnections == 1 { #expect(after == 100) }
        }
    }

    @Test("a server that knows the client by its certificate gets no token, and as many streams as it allows")
    func clientCertificate() async throws {
        let certificate = try #require(HostileWire.certificate)
        let own = try SelfSignedCertificate(names: ["client.example"], subject: "a provider")
        let most = Locked(0)
        try await HostileAPNs.run(
            .patient {
                $0.clientCertificate = ClientCertificate(chain: own.certificate, key: Secret(own.privateKey))
                $0.maxConnections = 1
            }, streams: 20,
            // Without this certificate, the handshake fails.
            security: .tls(
                certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"],
                options: TLSOptions(clientCertificate: own.certificate)),
            hasKey: false
        ) { connection in
            let held = connection.http2.requests(20)
            most.withLock { $0 = connection.http2.mostActive }
            for request in held { connection.accept(request) }
            while let request = connection.next() { connection.accept(request) }
        } _: { (apns) async throws in
            let outcome = try await apns.send(HostileAPNs.tokens(40))
            apns.check(outcome)
            #expect(outcome.report.isComplete && most.withLock { $0 } == 20 && apns.log.opened == 1)
            let requests = apns.journal.heads.map(\.request)
            #expect(requests.count == 40)
            #expect(requests.allSatisfy { $0.header("authorization") == nil })
            #expect(requests.allSatisfy { $0.header("apns-topic") == HostileAPNs.topic })
        }
    }

    // MARK: Connections that are stuck

    @Test("a connection that takes no token any more is retired, and a new token goes over a new one")
    func expired() async throws {
        try await HostileAPNs.run { connection in
            if connection.number == 1 {
                if let first = connection.next() { connection.accept(first) }
                for request in connection.http2.requests(40) { connection.refuse(request, 403, "ExpiredProviderToken") }
                while let request = connection.next() { connection.refuse(request, 403, "ExpiredProviderToken") }
            }
            while let request = connection.next() { connection.accept(request) }
        } _: { (apns) async throws in
            let warm = try await apns.send(HostileAPNs.tokens(1))
            apns.check(warm)
            // Old enough for a new token, and far from expiry.
            apns.clock.advance(by: .seconds(25 * 60))
            let tokens = HostileAPNs.tokens(40, from: 1)
            let outcome = try await apns.send(tokens)
            apns.check(outcome)
            #expect(outcome.report.isComplete && apns.log.opened == 2)
            for token in tokens {
                #expect(apns.log.fates[token] == [.refused(403, "ExpiredProviderToken"), .accepted])
            }
            let (old, new) = (apns.log.signatures(on: 1), apns.log.signatures(on: 2))
            #expect(old.count == 1 && new.count == 1)
            let first = try #require(old.first)
            let second = try #require(new.first)
            #expect(second.text != first.text && second.issuedAt >= first.issuedAt + 20 * 60)
        }
    }

    @Test("a connection on which tokens change too often is retired, and the same token goes over a new one")
    func tooManyUpdates() async throws {
        try await HostileAPNs.run { connection in
            if connection.number == 1 {
                if let first = connection.next() { connection.accept(first) }
                for request in connection.http2.requests(8) {
                    connection.refuse(request, 429, "TooManyProviderTokenUpdates")
                }
                while let request = connection.next() {
                    connection.refuse(request, 429, "TooManyProviderTokenUpdates")
                }
            }
            while let request = connection.next() { connection.accept(request) }
        } _: { (apns) async throws in
            let warm = try await apns.send(HostileAPNs.tokens(1))
            apns.check(warm)
            let tokens = HostileAPNs.tokens(8, from: 1)
            let outcome = try await apns.send(tokens)
            apns.check(outcome)
            #expect(outcome.report.isComplete && apns.log.opened == 2)
            for token in tokens {
                #expect(apns.log.fates[token] == [.refused(429, "TooManyProviderTokenUpdates"), .accepted])
            }
            #expect(apns.log.signatures(on: 1).count == 1)
            #expect(apns.log.signatures(on: 1) == apns.log.signatures(on: 2))
        }
    }

    @Test("requests that waited for a stream with the old token do not end the send when they spoil a new connection")
    func expiredWhileWaiting() async throws {
        // Tokens minted before this time are expired, and a connection that saw an expired token accepts no other.
        let oldest = Locked(0)
        var retry = RetryPolicy()
        retry.budget = 100
        try await HostileAPNs.run(streams: 10, retry: retry) { connection in
            var isStuck = false
            while let request = connection.next() {
                let issuedAt = SignedToken(request)?.issuedAt ?? 0
                isStuck = isStuck || issuedAt < oldest.withLock { $0 }
                if isStuck {
                    connection.refuse(request, 403, "ExpiredProviderToken")
                } else {
                    connection.accept(request)
                }
            }
        } _: { (apns) async throws in
            let warm = try await apns.send(HostileAPNs.tokens(1))
            apns.check(warm)
            let signature = try #require(apns.log.signatures(on: 1).first)
            oldest.withLock { $0 = signature.issuedAt + 1 }
            apns.clock.advance(by: .seconds(25 * 60))
            let outcome = try await apns.send(HostileAPNs.tokens(55, from: 1))
            apns.check(outcome)
            #expect(outcome.report.isComplete)
        }
    }
}
