import PushAdapter
import PushClient

/// A background update of tags and alias, retried until it succeeds.
struct BackgroundUpdate: Sendable {
    /// Newer updates have greater numbers.
    var number: Int
    var tags: [String]?
    var alias: String?
    var deliver: SessionGate.Deliver<SessionHalves>
}

struct BackgroundState: Sendable {
    var lastNumber = 0
    var update: BackgroundUpdate?
    /// The wait before the next attempt; a newer update cuts it short.
    var delay: Task<Void, Never>?
    var isRunning = false
}

extension SessionGate {
    /// Enqueues a background update, which replaces the previous one. It takes no slot and does not count in a window.
    /// It waits until the device is registered.
    func submitInBackground(tags: [String]?, alias: String?, deliver: @escaping Deliver<SessionHalves>) {
        withState { state in
            do throws(SessionFault) {
                let call = SessionCall.overlay(tags: tags, alias: alias)
                if let device = try check(call, as: .background, state) { _ = try work.plan(call, of: device) }
            } catch {
                return deliver(.failure(error))
            }
            endBackground(&state, Self.superseded)
            state.background.lastNumber += 1
            state.background.update = BackgroundUpdate(
                number: state.background.lastNumber, tags: tags, alias: alias, deliver: deliver)
            wakeBackground(&state)
        }
    }

    /// Drops the background update; a request in flight ends on its own.
    func endBackground() { withState { endBackground(&$0, Self.superseded) } }

    func endBackground(_ state: inout State, _ fault: SessionFault) {
        if let delay = state.background.delay { state.cancelled.append(delay) }
        guard let update = state.background.update else { return }
        update.deliver(.failure(fault))
        state.spent.append(update)
        state.background.update = nil
    }

    func wakeBackground(_ state: inout State) {
        guard state.background.update != nil, !state.background.isRunning, case .done = state.registration else {
            return
        }
        state.background.isRunning = true
        Task { await self.runUpdates() }
    }

    private static let superseded = SessionFault(
        PushError(
            .cancelled, "a newer background update replaced it, or the session ended", effect: .unknown),
        about: .tags)

    /// Sends one request at a time, so that the newest update reaches the vendor last. Halves that succeeded are not
    /// sent again, unless the device has changed.
    private func runUpdates() async {
        var current: (number: Int, device: DeviceID)?
        var parts: [(SessionSubject, SessionWork.Part)] = []
        var halves = SessionHalves()
        var waits: ArraySlice<Duration> = []
        while let (update, device) = nextUpdate() {
            if current?.number != update.number || current?.device != device {
                (current, halves, waits) = ((update.number, device), SessionHalves(), rules.backgroundWaits[...])
                do throws(SessionFault) {
                    parts = try work.plan(.overlay(tags: update.tags, alias: update.alias), of: device)
                } catch {
                    finish(update.number, of: device, .failure(error))
                    continue
                }
            }
            await work.overlay(parts, of: device, &halves) { isCurrent(update.number) }
            guard let failure = halves.failure else {
                finish(update.number, of: device, .success(halves))
                continue
            }
            guard failure.error.retry != .never, var wait = waits.first else {
                finish(update.number, of: device, .failure(failure))
                continue
            }
            if waits.count > 1 { waits.removeFirst() }
            if case .after(let hint) = failure.error.retry { wait = max(wait, hint) }
            await delay(wait, before: update.number)
        }
    }

    /// Nil ends the loop: there is no update, or the device is not registered.
    private func nextUpdate() -> (BackgroundUpdate, DeviceID)? {
        withState { state in
            guard let update = state.background.update, case .done(let registration) = state.registration else {
                state.background.isRunning = false
                return nil
            }
            return (update, registration.device)
        }
    }

    private func isCurrent(_ number: Int) -> Bool { withState { $0.background.update?.number == number } }

    /// Delivers the result of an update, unless there is a newer one or the device has changed.
    private func finish(
        _ number: Int, of device: DeviceID, _ result: Swift.Result<SessionHalves, SessionFault>
    ) {
        withState { state in
            guard let update = state.background.update, update.number == number else { return }
            if case .done(let registration) = state.registration, registration.device != device { return }
            state.background.update = nil
            update.deliver(result)
            state.spent.append(update)
        }
    }

    /// Waits, unless there is a newer update; a newer one ends the wait.
    private func delay(_ time: Duration, before number: Int) async {
        let delay: Task<Void, Never>? = withState { state in
            guard state.background.update?.number == number else { return nil }
            let delay = Task { [clock] in
                do throws(CancellationError) { try await clock.sleep(for: time) } catch {}
            }
            state.background.delay = delay
            return delay
        }
        await delay?.value
    }
}
