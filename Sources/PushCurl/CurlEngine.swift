import CLibcurl
import Glibc
import PushAdapter
import PushIO

/// The work of the I/O thread with libcurl.
///
/// `@unchecked`: once the thread runs, everything except `wake()` belongs to it.
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
    /// Requests that have a slot and a connection, and whose callers are asked whether they may leave.
    private var asked: [ObjectIdentifier: Transfer] = [:]
    /// After this many useless connections for a request, it may open the next one when it leaves.
    private static let mostConnections = 3
    /// When the first transfer that waits, or whose caller is asked, runs out of time.
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
        // A cache smaller than the requests in flight would cost a handshake per request. Above this size, libcurl
        // closes the connection that was idle for the longest time, in milliseconds. Among a few, that can be the one
        // whose response just came, which would look like a server that sent too much.
        pb_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(64, maxInFlight * 2))
        do throws(PushError) {
            idle.append(try handles.make())
        } catch {
            curl_multi_cleanup(multi)
            throw error
        }
    }

    // MARK: Work of the I/O thread

    func begin(_ call: Transfer) {
        line.append(call)
        noteExpiry(call.end)
    }

    /// Sends a request whose caller let it leave, over the connection that it has.
    func proceed(_ call: Transfer) {
        guard asked.removeValue(forKey: ObjectIdentifier(call)) != nil, let place = call.state as? CurlPlace else {
            return
        }
        guard call.mayLeave(.now) else { return ask(call, connections: place.connections) }
        send(call, connections: place.connections)
    }

    func cancel(_ call: Transfer) {
        if asked.removeValue(forKey: ObjectIdentifier(call)) != nil { sockets.release(call) }
        guard let transfer = call.state as? CurlTransfer else {
            return call.answer(.failure(.cancelled(wasSent: false)))
        }
        noteLookup(transfer)
        finish(transfer, .failure(.cancelled(wasSent: transfer.wasSent)))
    }

    func turn() -> Bool {
        let now = ContinuousClock.now
        if let due = nextExpiry, due <= now { expire(now) }
        while active.count + asked.count < maxInFlight, let call = line.next() {
            if call.isAsked {
                reach(call, connections: 0)
            } else {
                begin(call, .sending(mayConnect: true, isFresh: false), connections: 0)
            }
        }
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        return finishDone()
    }

    /// libcurl shortens the time for its own timers.
    func wait(mayBlock: Bool) {
        guard mayBlock else { return }
        var time: Int32 = 60_000
        if !line.isEmpty || !asked.isEmpty, let nextExpiry {
            time = Int32(clamping: (nextExpiry - ContinuousClock.now).wholeMilliseconds + 1)
        }
        curl_multi_poll(multi, nil, 0, time, nil)
    }

    func wake() { curl_multi_wakeup(multi) }

    func end() {
        for call in Array(asked.values) + active.values.map(\.call) { cancel(call) }
        line.removeAll { $0.answer(.failure(.cancelled(wasSent: false))) }
        for easy in idle { pb_free_handle(easy) }
        curl_multi_cleanup(multi)
    }

    /// Whether a request may only connect to public addresses. A proxy checks them itself.
    func mustBePublic(_ call: Transfer) -> Bool { call.request.requiresPublicAddress && configuration.proxy == nil }

    private func noteExpiry(_ end: ContinuousClock.Instant) { nextExpiry = min(nextExpiry ?? end, end) }

    private func expire(_ now: ContinuousClock.Instant) {
        let first = line.expire(now) { $0.answer(.failure(.noSlot(among: maxInFlight))) }
        for (id, call) in asked where call.end <= now {
            asked[id] = nil
            sockets.release(call)
            call.answer(.failure(.notAllowedInTime))
        }
        nextExpiry = ([first] + asked.values.map(\.end)).compactMap { $0 }.min()
    }

    /// Gets a connection for a request, and then asks its caller whether it may leave. Until then the request waits,
    /// and libcurl gets nothing of it.
    private func reach(_ call: Transfer, connections: Int) {
        // libcurl counts in whole seconds.
        let longest = max(configuration.maxIdleTime - .seconds(1), configuration.maxIdleTime / 2)
        let isKept = sockets.keep(for: call, .now, idleUpTo: longest, mustBePublic: mustBePublic(call))
        if isKept { return ask(call, connections: connections) }
        guard connections < Self.mostConnections else {
            return call.answer(
                .failure(.transport("each connection was closed before the request could leave", wasSent: false)))
        }
        begin(call, .connecting, connections: connections + 1)
    }

    /// Asks the caller of a request that has a connection, unless it was asked a short while ago.
    private func ask(_ call: Transfer, connections: Int) {
        let now = ContinuousClock.now
        guard !call.mayLeave(now) else { return send(call, connections: connections) }
        asked[ObjectIdentifier(call)] = call
        call.state = CurlPlace(connections: connections)
        noteExpiry(call.end)
        call.ask(now)
    }

    private func send(_ call: Transfer, connections: Int) {
        let mayConnect = connections >= Self.mostConnections
        begin(call, .sending(mayConnect: mayConnect, isFresh: mayConnect), connections: connections)
    }

    private func begin(_ call: Transfer, _ pass: CurlTransfer.Pass, connections: Int) {
        do throws(PushError) {
            let easy = if let kept = idle.popLast() { kept } else { try handles.make() }
            let transfer = CurlTransfer(call, easy, pass, connections: connections, self)
            do throws(PushError) {
                try handles.prepare(transfer)
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
            sockets.release(call)
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
            if transfer.breach?.isOfConnection == true, !transfer.wasSent {
                remove(transfer)
                goOn(transfer)
                continue
            }
            if transfer.onlyConnects, code == CURLE_OK, transfer.breach == nil {
                remove(transfer)
                if transfer.socket == nil {
                    // Two connections look the same, so nothing is known about this one.
                    ask(transfer.call, connections: Self.mostConnections)
                } else {
                    reach(transfer.call, connections: transfer.connections)
                }
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

    /// Tries another connection after one on which nothing could be sent.
    private func goOn(_ transfer: CurlTransfer) {
        let call = transfer.call
        guard call.isAsked else { return begin(call, .sending(mayConnect: true, isFresh: true), connections: 0) }
        sockets.release(call)
        reach(call, connections: transfer.connections)
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
        sockets.release(transfer.call)
        transfer.call.answer(result)
    }

    private func remove(_ transfer: CurlTransfer) {
        active[transfer.easy] = nil
        transfer.call.state = nil
        // With the option, libcurl would close the connection that it has just made.
        if transfer.onlyConnects { pb_set_long(transfer.easy, CURLOPT_CONNECT_ONLY, 0) }
        curl_multi_remove_handle(multi, transfer.easy)
        transfer.socket.map { sockets.giveBack($0, after: transfer, .now) }
        release(transfer)
    }

    /// Frees the data of one request and keeps the handle for the next.
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
