import CLibcurl
import Glibc
import PushCore
import PushIO

/// What the I/O thread does with libcurl.
///
/// `@unchecked`: once the thread runs, everything belongs to it, but for `wake()`.
final class CurlEngine: IOWork, @unchecked Sendable {
    let configuration: CurlConfiguration
    let sockets = CurlSockets()
    let headerNames = HeaderNames()
    var lookups = NameLookups()
    private let maxInFlight: Int
    private let handles: CurlHandles
    private let multi: UnsafeMutableRawPointer
    private var idle: [UnsafeMutableRawPointer] = []
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// Requests that wait for a slot.
    private var line = WaitingLine()
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
        self.multi = multi
        do throws(PushError) {
            handles = try CurlHandles(configuration: configuration, sockets: sockets)
        } catch {
            curl_multi_cleanup(multi)
            throw error
        }
        // A cache smaller than the requests in flight would cost a handshake per request. At twice that size, libcurl
        // closes no connection to make room while the response on it is checked.
        pb_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxInFlight * 2)
        do throws(PushError) {
            idle.append(try handles.make())
        } catch {
            curl_multi_cleanup(multi)
            throw error
        }
    }

    // MARK: What the I/O thread does

    func begin(_ call: Transfer) {
        line.append(call)
        noteExpiry(call.end)
    }

    func cancel(_ call: Transfer) {
        guard let transfer = call.state as? CurlTransfer else {
            return call.answer(.failure(.cancelled(wasSent: false)))
        }
        noteLookup(transfer)
        finish(transfer, .failure(.cancelled(wasSent: transfer.wasSent)))
    }

    func turn() -> Bool {
        let now = ContinuousClock.now
        if let due = nextExpiry, due <= now {
            nextExpiry = line.expire(now) { call in
                call.answer(.failure(.noSlot(among: maxInFlight)))
            }
        }
        while active.count < maxInFlight, let call = line.next() { begin(call, isFresh: false) }
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        return finishDone()
    }

    /// libcurl shortens the time for its own timers.
    func wait(mayBlock: Bool) {
        guard mayBlock else { return }
        var time: Int32 = 60_000
        if !line.isEmpty, let nextExpiry {
            time = Int32(clamping: (nextExpiry - ContinuousClock.now).wholeMilliseconds + 1)
        }
        curl_multi_poll(multi, nil, 0, time, nil)
    }

    func wake() { curl_multi_wakeup(multi) }

    func end() {
        for transfer in active.values { cancel(transfer.call) }
        line.removeAll { $0.answer(.failure(.cancelled(wasSent: false))) }
        for easy in idle { pb_free_handle(easy) }
        curl_multi_cleanup(multi)
    }

    private func noteExpiry(_ end: ContinuousClock.Instant) { nextExpiry = min(nextExpiry ?? end, end) }

    /// - Parameter isFresh: on a new connection, after one on which nothing could be sent.
    private func begin(_ call: Transfer, isFresh: Bool) {
        do throws(PushError) {
            let easy = if let kept = idle.popLast() { kept } else { try handles.make() }
            let transfer = CurlTransfer(call, easy, self)
            do throws(PushError) {
                try handles.prepare(transfer, isFresh: isFresh)
                guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
                    throw PushError(.invalidState, "libcurl did not accept the request; nothing was sent")
                }
                active[easy] = transfer
                call.state = transfer
            } catch {
                release(transfer)
                throw error
            }
        } catch {
            call.answer(.failure(error))
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
                remove(transfer)
                begin(transfer.call, isFresh: true)
                continue
            }
            if code == CURLE_OK {
                // If a connection closes inside the header, libcurl sees a complete response without a body.
                if !transfer.hasHeader { transfer.breach = .brokenHeader }
                if transfer.hasLeftovers { transfer.breach = .leftoverBytes }
            }
            let isUnresolved = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY
            noteLookup(transfer, isOver: isUnresolved)
            finish(
                transfer,
                code == CURLE_OK && transfer.breach == nil
                    ? .success(response(transfer)) : .failure(CurlFailure.error(code, transfer)))
        }
        return found
    }

    /// Remembers a lookup that outlives its request.
    private func noteLookup(_ transfer: CurlTransfer, isOver: Bool = false) {
        guard transfer.isLookingUp, !isOver else { return }
        var microseconds: curl_off_t = 0
        pb_get_offset(transfer.easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds)
        if microseconds == 0 { lookups.abandon(transfer.call.request.host) }
    }

    private func finish(_ transfer: CurlTransfer, _ result: Transfer.Answer) {
        remove(transfer)
        transfer.call.answer(result)
    }

    private func remove(_ transfer: CurlTransfer) {
        active[transfer.easy] = nil
        transfer.call.state = nil
        curl_multi_remove_handle(multi, transfer.easy)
        release(transfer)
    }

    /// Frees what belongs to one request and keeps the handle for the next.
    private func release(_ transfer: CurlTransfer) {
        pb_set_pointer(transfer.easy, CURLOPT_HTTPHEADER, nil)
        pb_set_pointer(transfer.easy, CURLOPT_MIMEPOST, nil)
        curl_slist_free_all(transfer.headerList)
        curl_mime_free(transfer.mime)
        idle.append(transfer.easy)
    }

    private func response(_ transfer: CurlTransfer) -> WireResponse {
        var status = 0
        pb_get_long(transfer.easy, CURLINFO_RESPONSE_CODE, &status)
        return WireResponse(status: status, headers: transfer.headers, body: transfer.body)
    }
}
