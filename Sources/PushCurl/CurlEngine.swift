import CLibcurl
import Glibc
import PushCore

/// The I/O thread and its inbox. Once it runs, only that thread touches libcurl handles.
///
/// `@unchecked`: `inbox` guards what callers share; the rest belongs to the thread.
final class CurlEngine: @unchecked Sendable {
    let inbox = Locked(CurlInbox())
    /// Set before the engine is shared.
    private var thread = pthread_t()
    let configuration: CurlConfiguration
    let sockets = CurlSockets()
    let headerNames = HeaderNames()
    var lookups = NameLookups()
    private let maxInFlight: Int
    private let handles: CurlHandles
    private let multi: UnsafeMutableRawPointer
    private var idle: [UnsafeMutableRawPointer] = []
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// Transfers that wait for a slot, oldest first; `waitingStart` skips those that left.
    private var waiting: [CurlTransfer] = []
    private var waitingStart = 0
    /// When the first waiting transfer runs out of time.
    private var nextExpiry: ContinuousClock.Instant?

    /// libcurl requires this once, before anything else.
    private static let globalResult = pb_global_init()

    init(_ configuration: CurlConfiguration) throws(PushError) {
        guard Self.globalResult == CURLE_OK, let multi = curl_multi_init() else {
            throw PushError(.invalidState, "libcurl could not be initialized")
        }
        self.configuration = configuration
        maxInFlight = max(1, configuration.maxInFlight)
        handles = CurlHandles(configuration: configuration, sockets: sockets)
        self.multi = multi
        // A cache smaller than the requests in flight would cost a handshake per request. At twice that size, libcurl
        // closes no connection to make room while the response on it is checked.
        pb_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxInFlight * 2)
        pb_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, max(100, maxInFlight))
        do throws(PushError) {
            idle.append(try handles.make())
        } catch {
            curl_multi_cleanup(multi)
            throw error
        }
    }

    // MARK: Called from any thread

    func start() throws(PushError) {
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue().runLoop()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw PushError(.invalidState, "the I/O thread could not be started (error \(code))")
        }
    }

    func submit(_ transfer: CurlTransfer, _ continuation: CheckedContinuation<CurlTransfer.Answer, Never>) {
        let refusal: PushError? = inbox.withLock { inbox in
            if transfer.isCancelled { return CurlFailure.cancelled(wasSent: false) }
            if inbox.isStopping { return PushError(.stopped, "the transport was shut down; nothing was sent") }
            transfer.continuation = continuation
            inbox.submitted.append(transfer)
            wake(&inbox)
            return nil
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
    }

    /// May run before `submit`: the flag then makes `submit` refuse.
    func cancel(_ transfer: CurlTransfer) {
        inbox.withLock { inbox in
            transfer.isCancelled = true
            guard transfer.continuation != nil else { return }
            inbox.cancelled.append(transfer)
            wake(&inbox)
        }
    }

    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            wake(&inbox)
        }
    }

    /// Returns when the thread has ended and released everything.
    func finished() async {
        await withCheckedContinuation { continuation in
            let isOver = inbox.withLock { inbox in
                if !inbox.hasFinished { inbox.finishers.append(continuation) }
                return inbox.hasFinished
            }
            if isOver { continuation.resume() }
        }
        let mustJoin = inbox.withLock { inbox in
            defer { inbox.mustJoin = false }
            return inbox.mustJoin
        }
        // The thread only has to exit, and to free what libraries keep per thread.
        if mustJoin { pthread_join(thread, nil) }
    }

    func wake(_ inbox: inout CurlInbox) {
        guard inbox.isSleeping else { return }
        inbox.isSleeping = false
        curl_multi_wakeup(multi)
    }

    // MARK: The I/O thread

    private func runLoop() {
        while takeInbox() {
            startWaiting()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if !finishDone() { sleep() }
        }
        for (easy, transfer) in active { cancel(transfer, easy) }
        for transfer in waiting[waitingStart...] { answer(transfer, .failure(CurlFailure.cancelled(wasSent: false))) }
        for easy in idle { curl_easy_cleanup(easy) }
        curl_multi_cleanup(multi)
        let (finishers, jobs) = inbox.withLock { inbox in
            inbox.hasFinished = true
            inbox.mustJoin = !inbox.finishers.isEmpty
            if !inbox.mustJoin { pthread_detach(pthread_self()) }
            return (inbox.finishers, inbox.jobs)
        }
        for finisher in finishers { finisher.resume() }
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Waits until the network or a caller has work, unless a caller already has.
    private func sleep() {
        let isEmpty = inbox.withLock { inbox in
            inbox.isSleeping = inbox.isEmpty
            return inbox.isSleeping
        }
        guard isEmpty else { return }
        curl_multi_poll(multi, nil, 0, pollTime(), nil)
        inbox.withLock { $0.isSleeping = false }
    }

    /// Takes what callers left; false when the engine must end.
    private func takeInbox() -> Bool {
        // Jobs run first, because they may leave more work. Only those present now run, so that the network gets its
        // turn.
        let jobs = inbox.withLock { inbox in
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        let (submitted, cancelled, isStopping) = inbox.withLock { inbox in
            defer {
                inbox.submitted = []
                inbox.cancelled = []
            }
            return (inbox.submitted, inbox.cancelled, inbox.isStopping)
        }
        waiting += submitted
        for transfer in submitted { noteExpiry(transfer) }
        for transfer in cancelled {
            if let easy = transfer.easy {
                cancel(transfer, easy)
            } else {
                answer(transfer, .failure(CurlFailure.cancelled(wasSent: false)))
            }
        }
        return !isStopping
    }

    private func startWaiting() {
        expireWaiting()
        while waitingStart < waiting.count, active.count < maxInFlight {
            let transfer = waiting[waitingStart]
            waitingStart += 1
            if !isAnswered(transfer) { begin(transfer) }
        }
        if waitingStart == waiting.count || waitingStart > 1024 {
            waiting.removeFirst(waitingStart)
            waitingStart = 0
        }
    }

    /// Fails transfers whose time is over while they wait for a slot; checks them only when the first is due.
    private func expireWaiting() {
        let now = ContinuousClock.now
        guard let due = nextExpiry, due <= now else { return }
        nextExpiry = nil
        for transfer in waiting[waitingStart...] where !isAnswered(transfer) {
            if transfer.end <= now {
                let error = PushError(
                    .timeout, "no free slot among \(maxInFlight) requests in flight; nothing was sent", retry: .backoff)
                answer(transfer, .failure(error))
            } else {
                noteExpiry(transfer)
            }
        }
    }

    private func noteExpiry(_ transfer: CurlTransfer) { nextExpiry = min(nextExpiry ?? transfer.end, transfer.end) }

    /// The time until the next check; libcurl shortens it for its own timers.
    private func pollTime() -> Int32 {
        guard waitingStart < waiting.count, let nextExpiry else { return 60_000 }
        return Int32(clamping: (nextExpiry - ContinuousClock.now).wholeMilliseconds + 1)
    }

    /// - Parameter isFresh: on a new connection, after one on which nothing could be sent.
    private func begin(_ transfer: CurlTransfer, isFresh: Bool = false) {
        do throws(PushError) {
            let easy = if let kept = idle.popLast() { kept } else { try handles.make() }
            transfer.easy = easy
            transfer.engine = self
            do throws(PushError) {
                try handles.prepare(easy, transfer, isFresh: isFresh)
                guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
                    throw PushError(.invalidState, "libcurl did not accept the request; nothing was sent")
                }
                active[easy] = transfer
            } catch {
                release(transfer, easy)
                throw error
            }
        } catch {
            answer(transfer, .failure(error))
        }
    }

    /// Completes every transfer that is done; returns whether there was one.
    private func finishDone() -> Bool {
        var found = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = active[easy]
            else { continue }
            found = true
            let code = pb_message_result(message)
            if transfer.breach == .staleConnection {
                remove(transfer, easy)
                transfer.reset()
                begin(transfer, isFresh: true)
                continue
            }
            if code == CURLE_OK {
                // If a connection closes inside the header, libcurl sees a complete response without a body.
                if !transfer.hasHeader { transfer.breach = .brokenHeader }
                if transfer.hasLeftovers { transfer.breach = .leftoverBytes }
            }
            let isUnresolved = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY
            noteLookup(transfer, easy, isOver: isUnresolved)
            finish(
                transfer, easy,
                code == CURLE_OK && transfer.breach == nil
                    ? .success(response(transfer, easy)) : .failure(CurlFailure.error(code, transfer)))
        }
        return found
    }

    /// Remembers a lookup that outlives its request.
    private func noteLookup(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer, isOver: Bool = false) {
        guard transfer.isLookingUp, !isOver else { return }
        var microseconds: curl_off_t = 0
        pb_get_offset(easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds)
        if microseconds == 0 { lookups.abandon(transfer.request.host) }
    }

    private func finish(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer, _ result: CurlTransfer.Answer) {
        remove(transfer, easy)
        answer(transfer, result)
    }

    private func cancel(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer) {
        noteLookup(transfer, easy)
        finish(transfer, easy, .failure(CurlFailure.cancelled(wasSent: transfer.wasSent)))
    }

    private func remove(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer) {
        active[easy] = nil
        curl_multi_remove_handle(multi, easy)
        release(transfer, easy)
    }

    /// Frees what belongs to one request and keeps the handle for the next.
    private func release(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer) {
        pb_set_pointer(easy, CURLOPT_HTTPHEADER, nil)
        pb_set_pointer(easy, CURLOPT_MIMEPOST, nil)
        curl_slist_free_all(transfer.headerList)
        curl_mime_free(transfer.mime)
        transfer.headerList = nil
        transfer.mime = nil
        transfer.easy = nil
        transfer.engine = nil
        idle.append(easy)
    }

    private func isAnswered(_ transfer: CurlTransfer) -> Bool { inbox.withLock { _ in transfer.continuation == nil } }

    private func answer(_ transfer: CurlTransfer, _ result: CurlTransfer.Answer) {
        let continuation = inbox.withLock { _ in
            defer { transfer.continuation = nil }
            return transfer.continuation
        }
        continuation?.resume(returning: result)
    }

    private func response(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer) -> WireResponse {
        var status = 0
        pb_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return WireResponse(status: status, headers: transfer.headers, body: transfer.body)
    }
}
