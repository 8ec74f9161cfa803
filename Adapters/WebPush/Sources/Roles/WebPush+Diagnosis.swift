import FoundationEssentials
public import PushAdapter

extension WebPush {
    /// Reads an error by the service of the request: its code first, then the status. A 2xx is no error, unless
    /// Microsoft's service says that it dropped the message, or a 200 has the code of an error.
    ///
    /// A refused send says nothing about sends to other services, so it never ends a list.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        let service = service(of: call)
        let isDropped = service.dialects.contains(.wns) && response.headers[.wnsStatus]?.lowercased() == "dropped"
        guard !response.isSuccess || response.status == 200 || isDropped else { return nil }
        let reading = service.dialects.lazy.compactMap { $0.reading(of: response) }.first
        let named = reading.flatMap(\.row)
        let row = Self.row(named, response, service)
        guard !response.isSuccess || row != nil else { return nil }
        var detail = VendorDetail(
            code: reading?.code, message: reading?.message, httpStatus: response.status, body: response.body)
        // A text of the table is no secret, also where the status decides.
        if let named { detail.code = named.code }
        if call.operation == .send { detail.verdict = verdict(row, response) }
        let isGone = call.operation == .send && Self.isGone(response.status)
        let isYoung = isGone && isYoung(call, at: response.receivedAt)
        if isYoung { detail.verdict = .suspect }
        guard let row else {
            var error = PushError(unexplained: response)
            error.vendor = detail
            return error
        }
        var error = PushError(row, detail, of: "Web Push at \(service.name)", in: response)
        if isYoung { error.retry = .after(grace) }
        return error
    }

    /// The time that Microsoft's service names for a throttle, and that any service names with 503: until then, nothing is
    /// left for its origin. The client reads `Retry-After` of throttles itself.
    public func facts(in response: WireResponse) -> ResponseFacts {
        let isUnavailable = response.status == 503
        let named = response.headers[.wnsContinueAfter].flatMap { Int($0) }.map { Duration.seconds($0) }
        let wait = [named, isUnavailable ? response.retryAfter : nil].compactMap { $0 }.first(where: Self.isWait)
        return ResponseFacts(rate: wait.map { RateFacts(remaining: isUnavailable ? 0 : nil, reset: $0) })
    }

    /// Whether a service can mean so long a time.
    private static func isWait(_ time: Duration) -> Bool { .seconds(1) <= time && time <= .seconds(1_000_000) }

    private func service(of call: VendorCall) -> Service {
        var address = call.request.address
        if isPassing, let target = call.targets.first, let subscription = try? WebPushSubscription(DeviceID(target)) {
            address = try? TargetAddress(subscription.endpoint)
        }
        guard let address, let host = try? PlainOrigin(of: address.origin).host else { return .other }
        return services.first { $0.has(host) } ?? .other
    }

    /// The row of the code, if it fits the status; else the service's row of the status, else the common one.
    private static func row(
        _ named: VendorErrorRow?, _ response: WireResponse, _ service: Service
    ) -> VendorErrorRow? {
        if let named, named.fits(response.status) { return named }
        let code: VendorCode = (300..<400).contains(response.status) ? "3xx" : .status(response.status)
        let surfaces = service.dialects.map(\.rawValue) + [WebPushDialect.statuses]
        return surfaces.lazy.compactMap { WebPushErrors.rows.row(code, on: $0) }.first
    }

    /// The verdict of a refused send on its subscription. Only 404 and 410 end one. A setting of ours is wrong, or the
    /// subscription, if the server key does not fit. A throttle of the whole origin is about no subscription.
    private func verdict(_ row: VendorErrorRow?, _ response: WireResponse) -> TargetVerdict? {
        if Self.isGone(response.status) { return .dead(since: lastSureDate(before: response.receivedAt)) }
        if response.status >= 500 { return nil }
        switch row?.kind {
        case .misconfigured?: return .suspect
        case .rateLimited?: return row.map(WebPushErrors.isAboutOrigin) == true ? nil : .isolated
        default: return .isolated
        }
    }

    fileprivate static func isGone(_ status: Int) -> Bool { status == 404 || status == 410 }

    /// A subscription that was registered after this date may only be too fresh. A router keeps its binding.
    private func lastSureDate(before answer: Date) -> Date? {
        grace > .zero && answer > .distantPast ? answer.addingTimeInterval(-grace.seconds) : nil
    }

    private func isYoung(_ call: VendorCall, at moment: Date) -> Bool {
        guard let registeredAt, let target = call.targets.first,
            let subscription = try? WebPushSubscription(DeviceID(target)), let start = registeredAt(subscription)
        else { return false }
        return moment.timeIntervalSince(start) < grace.seconds
    }
}

extension VendorErrorRow {
    /// Whether a row may explain a status. Only 404 and 410 end a subscription, and a failing server may have acted,
    /// whatever the code is.
    fileprivate func fits(_ status: Int) -> Bool {
        if (200..<300).contains(status) { return true }
        if status >= 500 { return effect == .unknown || certainStatus == status }
        return (kind == .noTarget) == WebPush.isGone(status)
    }
}
