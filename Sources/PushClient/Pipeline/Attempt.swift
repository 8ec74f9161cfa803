import FoundationEssentials
import PushAdapter

/// One attempt of one request: sign, send, diagnose, decode.
struct Attempt: Sendable {
    /// The shared pool of threads decodes a longer body: on the transport's thread, it would hold up every other
    /// request.
    private static let longestOnThread = 16 << 10

    let provider: any PushProvider
    let transport: any HTTPTransport
    let gate: ShutdownGate
    let timeout: Duration
    let clock: any PushClock

    nonisolated(nonsending) func callAsFunction(_ call: AnyCall) async throws(PushError) -> any Sendable {
        let exchange = try call.exchange.get()
        do throws(PushError) {
            // Before the signature. If the process is stopped after it, the vendor may no longer accept it.
            let start = clock.elapsed
            let request = try prepare(exchange, call)
            call.emit(.attemptStarted(number: call.attempt, host: request.host))
            let end = start + request.timeout
            try checkTime(until: end)
            var response =
                if let journal = call.journal {
                    try await transport.send(request, beforeWriting: noting(journal, until: end))
                } else {
                    try await transport.send(request)
                }
            response.receivedAt = clock.date
            guard response.body.count <= exchange.longestResponse else { throw tooLong(response, exchange) }
            guard response.body.count > Self.longestOnThread else { return try read(response, exchange, call) }
            let whole = response
            return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(PushError) in
                try read(whole, exchange, call)
            }
        } catch {
            var error = error
            error.operation = error.operation ?? call.operation
            // Even a response that cannot be read may hold a valid token.
            if call.operation == .mintToken { error.vendor = error.vendor?.withoutBody }
            call.emit(.attemptFailed(number: call.attempt, error))
            throw error
        }
    }

    /// Records a request, and lets it leave only if there is still time for it. A store may take long, and the key of
    /// the request may expire meanwhile.
    private func noting(_ journal: Journal, until end: Duration) -> @Sendable () async throws(PushError) -> Void {
        { () async throws(PushError) in
            try await journal.note()
            try checkTime(until: end)
        }
    }

    private func checkTime(until end: Duration) throws(PushError) {
        guard clock.elapsed < end else {
            throw PushError(.timeout, "the deadline passed before the request was sent", retry: .backoff)
        }
    }

    private func prepare(_ exchange: AnyExchange, _ call: AnyCall) throws(PushError) -> TransportRequest {
        var time = min(timeout, call.deadline.remaining)
        // Checked again, because the call may have waited since the guard layer.
        guard gate.isOpen else {
            throw PushError(.stopped, "the client was shut down before the request was sent")
        }
        guard time > .zero else {
            throw PushError(.timeout, "the deadline passed before the request was sent", retry: .backoff)
        }
        // The vendor cannot have forgotten a caller-made key before it acted on it.
        let isNew = !call.mayHaveActed && !provider.capabilities.callerKeys.isEmpty
        if case .keyed(let key) = exchange.idempotency, !isNew || key.firstUsedAt != nil {
            let now = clock.date
            guard key.isRemembered(at: now) else {
                throw PushError(
                    .invalidState, "the idempotency key expired before the request was sent; send with a new one")
            }
            // A request that arrives later may be a second message.
            time = min(time, .seconds(key.expiresAt.timeIntervalSince(now)))
        }
        let request = exchange.request
        var headers = request.headers
        if exchange.credential != .none, let signer = call.signer {
            if let token = signer.token, token.expiresAt <= clock.date {
                throw PushError(
                    .unauthorized, "the access token expired before the request was sent", retry: .afterRenewal)
            }
            let fields = try signer.authorizer.authorize(
                request, as: exchange.credential, with: signer.token, at: clock.date)
            for field in fields { headers.append(field) }
        }
        var ready = TransportRequest(
            method: request.method, url: try provider.dataCenter.url(of: request), headers: headers, body: request.body,
            timeout: time)
        ready.requiresPublicAddress = request.address?.mustBePublic ?? false
        if exchange.credential != .none {
            ready.connectionGroup = call.signer?.connectionGroup(for: exchange.credential)
        }
        ready.requiresHTTP2 = provider.dataCenter.http2Services.contains(request.service)
        return ready
    }

    /// The error of a response that is longer than any response of the vendor to this request. Its contents do not
    /// count.
    private func tooLong(_ response: WireResponse, _ exchange: AnyExchange) -> PushError {
        var error = PushError(unexplained: response)
        if response.isSuccess || exchange.statusesInPlace.contains(response.status) {
            (error.kind, error.effect, error.retry) = (.malformedResponse, .unknown, .backoff)
        }
        error.message =
            "a response of \(response.body.count) bytes is not the vendor's, whose have at most "
            + "\(exchange.longestResponse); HTTP \(response.status)"
        return error
    }

    private func read(
        _ response: WireResponse, _ exchange: AnyExchange, _ call: AnyCall
    ) throws(PushError) -> any Sendable {
        let facts = provider.facts(in: response)
        call.emit(.answered(status: response.status, facts: facts))
        // A status that says that the change was in place already is decoded like a success. If that fails, it is an
        // error like any other.
        if exchange.statusesInPlace.contains(response.status), let output = try? exchange.decode(response) {
            return output
        }
        do throws(PushError) {
            if let error = provider.diagnose(response, to: exchange.call) { throw error }
            guard response.isSuccess else { throw PushError(unexplained: response) }
        } catch {
            if error.vendor?.endsConnection == true, let connection = response.connection {
                transport.retire(connection)
            }
            throw isolating(complete(suspecting(error, response, exchange), response, facts), response, exchange)
        }
        do throws(PushError) {
            let output = try exchange.decode(response)
            guard isKeepable(output) else {
                throw PushError(
                    .malformedResponse, "the vendor's id of the message has more than 256 bytes", retry: .backoff,
                    vendor: VendorDetail(httpStatus: response.status, body: response.body))
            }
            return output
        } catch {
            // The vendor accepted something, so it may have acted, even if the decoder says otherwise.
            var error = complete(error, response, facts)
            if error.effect == .notApplied { error.effect = .unknown }
            throw error
        }
    }

    /// Whether the ids in an output are short enough to keep. A report keeps one for each target, so long ones could
    /// fill the memory.
    private func isKeepable(_ output: any Sendable) -> Bool {
        guard let receipt = output as? SendReceipt else { return true }
        return receipt.messageIDs.allSatisfy(\.rawValue.isShortEnough)
    }

    /// Makes the effect of a contradictory refusal unknown. A failing server may have acted, whatever it says, unless
    /// the vendor documents this response as a refusal. So may a server whose status refuses and whose body accepts.
    private func suspecting(_ error: PushError, _ response: WireResponse, _ exchange: AnyExchange) -> PushError {
        guard error.effect == .notApplied else { return error }
        var error = error
        if response.status >= 500, error.vendor?.isCertain != true {
            error.effect = .unknown
        } else if error.vendor?.code == nil, exchange.request.method != .get, accepts(response, exchange) {
            error.effect = .unknown
        }
        return error
    }

    /// Keeps a refusal by the origin of one target's address from ending a list, because other targets are elsewhere.
    private func isolating(_ error: PushError, _ response: WireResponse, _ exchange: AnyExchange) -> PushError {
        guard exchange.request.address != nil, error.endsList else { return error }
        var error = error
        var vendor = error.vendor ?? VendorDetail(httpStatus: response.status, body: response.body)
        vendor.verdict = .isolated
        error.vendor = vendor
        return error
    }

    /// Whether a body decodes as a success. An object proves nothing if the decoder accepts any object.
    private func accepts(_ response: WireResponse, _ exchange: AnyExchange) -> Bool {
        func reads(_ body: [UInt8]) -> Bool {
            var response = response
            response.body = body
            do throws(PushError) { _ = try exchange.decode(response) } catch { return false }
            return true
        }
        guard !response.body.isEmpty, reads(response.body) else { return false }
        return response.body.first { $0 > 0x20 } != 0x7B || !reads(Array(#"{"-":0}"#.utf8))
    }

    /// Bounds the time that an adapter read. Adds the facts that all vendors report the same way: the request id, and
    /// when to retry.
    private func complete(_ error: PushError, _ response: WireResponse, _ facts: ResponseFacts) -> PushError {
        var error = error
        error.retry = error.retry.bounded
        if let id = facts.requestID, error.vendor?.requestID == nil {
            var vendor = error.vendor ?? VendorDetail(httpStatus: response.status, body: response.body)
            vendor.requestID = id
            error.vendor = vendor
        }
        if error.retry == .backoff {
            let reset = error.kind == .rateLimited ? facts.rate?.reset : nil
            let header = response.retryAfter?.asRest
            // Zero is not a hint.
            if let hint = [reset, header].compactMap({ $0 }).first(where: { $0 > .zero }) {
                error.retry = .after(error.kind == .quotaExhausted ? hint : min(hint, RetryPolicy.longestHint))
            } else if error.kind == .rateLimited, let least = provider.capabilities.leastWaits[.rateLimited] {
                error.retry = .after(least)
            }
        }
        return error
    }
}
