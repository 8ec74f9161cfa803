import FoundationEssentials
import PushAdapter

/// Keeps a client within the vendor's quotas and minimum intervals: delays calls, learns from headers, pauses on
/// throttles, and refuses calls while a quota is used up.
struct QuotaLayer {
    let ledger: QuotaLedger
    /// The quotas that other processes count as well; nil for none.
    let shared: SharedQuotaLanes?
    let minimumIntervals: [Feature: Duration]
    let writeDelay: [Feature: Duration]
    let throttledPause: Duration
    /// The wait after a throttle whose end the vendor does not name.
    let leastWait: Duration?
    let waits: Waits
    let clock: any PushClock

    nonisolated(nonsending) func intercept(
        _ call: AnyCall, next: nonisolated(nonsending) @Sendable (AnyCall) async throws(PushError) -> any Sendable
    ) async throws(PushError) -> any Sendable {
        let exchange = try call.exchange.get()
        let charges = exchange.charges
        let reserved = try await reserve(charges, call)
        do throws(PushError) { try await waitForPace(exchange, call) } catch {
            await refund(reserved)
            throw error
        }
        let observed = call.observed { [ledger, shared, clock] event in
            if case .answered(_, let facts) = event, let rate = facts.rate {
                ledger.learn(rate, charges, now: clock.elapsed)
                if let shared { Task { await shared.learn(rate, charges) } }
            }
        }
        do throws(PushError) {
            let output = try await next(observed)
            settle(exchange)
            return output
        } catch {
            if error.effect != .notApplied { settle(exchange) }
            // The vendor never saw the request, so it does not count it.
            if error.vendor == nil, error.effect == .notApplied { await refund(reserved) }
            // A throttle of one target does not pause the others.
            if error.kind == .rateLimited, error.vendor?.verdict == nil {
                var hint: Duration?
                if case .after(let time) = error.retry { hint = min(time, RetryPolicy.longestHint) }
                let pause = hint ?? throttledPause
                // A least wait says nothing about when the quota is full again.
                let isNamed = hint != nil && hint != leastWait
                ledger.pause(charges, for: pause, isNamed: isNamed, now: clock.elapsed)
                await shared?.pause(charges, for: pause)
            }
            await rest(charges, after: error)
            throw error
        }
    }

    /// If the vendor says until when a quota is used up, no call asks before. The time is about the quota that the
    /// diagnosis names, or else about the first charge.
    private func rest(_ charges: [QuotaCharge], after error: PushError) async {
        guard error.kind == .quotaExhausted, case .after(let time) = error.retry, let vendor = error.vendor,
            vendor.verdict == nil, let bucket = vendor.usedUp ?? charges.first?.bucket
        else { return }
        ledger.rest(bucket, until: clock.date.addingTimeInterval(time.asRest.seconds))
        await shared?.useUp(bucket, for: time)
    }

    /// Delays later calls until the vendor has applied the calls that it accepted.
    private func settle(_ exchange: AnyExchange) {
        guard let time = writeDelay[exchange.operation] else { return }
        let now = clock.elapsed
        for subject in exchange.subject.map({ [$0] }) ?? exchange.devices.map(Subject.device) {
            ledger.settle(exchange.operation, subject, until: now + time, now: now)
        }
    }

    private nonisolated(nonsending) func waitForPace(
        _ exchange: AnyExchange, _ call: AnyCall
    ) async throws(PushError) {
        guard let subject = exchange.subject else { return try await waitForWrites(exchange, call) }
        let interval = minimumIntervals[exchange.operation]
        guard interval != nil || !writeDelay.isEmpty else { return }
        // An earlier attempt of this call started the same change.
        let isRepetition = call.attempt > 1
        var start = Duration.zero
        do throws(PushError) {
            var isFree = false
            while !isFree {
                let delay = ledger.reservePace(
                    interval, exchange.operation, subject, now: clock.elapsed, waitsForWrites: !isRepetition)
                start = clock.elapsed + delay.duration
                if delay.duration > .zero { try await wait(delay, call) }
                // If another call about the subject ends during the wait, the wait grows and the moment is lost.
                isFree =
                    isRepetition || ledger.writeDelay(exchange.operation, subject, now: clock.elapsed).duration == .zero
            }
        } catch {
            if let interval { ledger.refundInterval(interval, exchange.operation, subject, start: start) }
            throw error
        }
    }

    /// Waits until the vendor has applied its earlier writes to every device that the request lists.
    private nonisolated(nonsending) func waitForWrites(
        _ exchange: AnyExchange, _ call: AnyCall
    ) async throws(PushError) {
        guard !writeDelay.isEmpty, call.attempt == 1 else { return }
        for device in exchange.devices {
            while case let delay = ledger.writeDelay(exchange.operation, .device(device), now: clock.elapsed),
                delay.duration > .zero
            {
                try await wait(delay, call)
            }
        }
    }

    /// A request's units in all its quotas.
    private struct Reserved {
        struct Lane {
            let reservation: QuotaLedger.Reservation
            /// From when on it may use the units of the shared quota.
            let sharedFrom: Duration
        }

        var lanes: [Lane] = []
        /// When it took the units of calendar days; nil if it has not.
        var ofDayAt: Date?
    }

    /// Takes a request's units from all its quotas, and waits for those that come back bit by bit: first this
    /// process's, then the shared ones. A request of a list of millions first waits for the part that such lists may
    /// use. Refuses the request if a quota is used up.
    private nonisolated(nonsending) func reserve(
        _ charges: [QuotaCharge], _ call: AnyCall
    ) async throws(PushError) -> Reserved {
        var reserved = Reserved()
        guard !charges.isEmpty else { return reserved }
        // Tomorrow it would not fit either.
        if let (charge, limit) = ledger.excess(of: charges) {
            throw PushError(
                .limitExceeded,
                "the request takes \(charge.cost) of the quota \(charge.bucket) of \(call.provider), which has \(limit) "
                    + "a day; send to fewer targets at once", operation: call.operation)
        }
        try refuse(call, ledger.end(of: charges, at: clock.date))
        do throws(PushError) {
            for share: QuotaShare in call.isBulk ? [.bulk, .all] : [.all] {
                reserved.lanes.append(try await waitForQuota(charges, share, call))
            }
            // At the end, because midnight may pass during a wait.
            let now = clock.date
            try refuse(call, ledger.takeOfDay(charges, at: now))
            if let end = await shared?.takeOfDay(charges, at: now) {
                ledger.refundOfDay(charges, takenAt: now)
                ledger.rest(end.bucket, until: end.date)
                try refuse(call, end)
            }
            reserved.ofDayAt = now
            return reserved
        } catch {
            await refund(reserved)
            throw error
        }
    }

    private func refuse(_ call: AnyCall, _ end: UsedUpQuotas.End?) throws(PushError) {
        guard let end else { return }
        throw PushError(
            .quotaExhausted,
            "the quota \(end.bucket) of \(call.provider) has too little left until \(end.date.ISO8601Format()); "
                + "nothing was sent",
            retry: .after(.seconds(max(1, end.date.timeIntervalSince(clock.date)))), operation: call.operation)
    }

    private nonisolated(nonsending) func waitForQuota(
        _ charges: [QuotaCharge], _ share: QuotaShare, _ call: AnyCall
    ) async throws(PushError) -> Reserved.Lane {
        let (reservation, first) = ledger.reserve(charges, share, now: clock.elapsed)
        var delay = first
        do throws(PushError) {
            while delay.duration > .zero {
                try await wait(delay, call)
                delay = ledger.remaining(reservation, now: clock.elapsed)
            }
        } catch {
            ledger.refund(reservation, now: clock.elapsed)
            throw error
        }
        let rest = await shared?.take(charges, share) ?? QuotaLedger.Delay()
        let lane = Reserved.Lane(reservation: reservation, sharedFrom: clock.elapsed + rest.duration)
        guard rest.duration > .zero else { return lane }
        do throws(PushError) {
            if rest.duration > RetryPolicy.longestHint, case .quota(let bucket) = rest.cause {
                // Another process was told that the quota is used up.
                ledger.rest(bucket, until: clock.date.addingTimeInterval(rest.duration.seconds))
                try refuse(call, ledger.end(of: charges, at: clock.date))
            }
            try await wait(rest, call)
        } catch {
            await refund(Reserved(lanes: [lane]))
            throw error
        }
        return lane
    }

    private func refund(_ reserved: Reserved) async {
        for lane in reserved.lanes {
            ledger.refund(lane.reservation, now: clock.elapsed)
            await shared?.refund(lane.reservation, from: lane.sharedFrom)
        }
        guard let date = reserved.ofDayAt, let charges = reserved.lanes.first?.reservation.charges else { return }
        ledger.refundOfDay(charges, takenAt: date)
        await shared?.refundOfDay(charges, takenAt: date)
    }

    private func wait(_ delay: QuotaLedger.Delay, _ call: AnyCall) async throws(PushError) {
        guard call.deadline.allows(delay.duration, isKnown: true) else {
            throw PushError(
                .rateLimited,
                "\(call.provider) takes no \(call.operation) for \(delay.duration.rounded), longer than the call may "
                    + "take; nothing was sent",
                retry: .after(delay.duration), operation: call.operation)
        }
        call.emit(.waiting(delay.cause, delay: delay.duration))
        try await waits.wait(
            delay.duration, for: delay.cause, isKnown: true, call.operation, within: call.deadline)
    }
}

extension Call {
    fileprivate var isBulk: Bool { journal?.isBulk ?? false }
}

extension Exchange {
    /// The devices that it lists.
    fileprivate var devices: [DeviceID] {
        inputs.flatMap { input -> [DeviceID] in if case .devices(let devices) = input { devices } else { [] } }
    }
}

extension Duration {
    /// For messages: `1.5 s`.
    var rounded: String { "\((seconds * 10).rounded() / 10) s" }
}
