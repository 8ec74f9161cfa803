import PushClient
import PushCore

/// A setting that is made in the background, again and again until it succeeds.
struct BackgroundWish: Sendable {
    /// Later ones have greater numbers.
    var number: Int
    var tags: [String]?
    var alias: String?
    var deliver: SessionGate.Deliver<SessionHalves>
}

struct BackgroundState: Sendable {
    var lastNumber = 0
    var wish: BackgroundWish?
    /// The wait before the next try, which a newer wish cuts short.
    var nap: Task<Void, Never>?
    var isRunning = false
}

extension SessionGate {
    /// Lets a setting in that nobody waits for. It takes no slot and no place in a window, and the place of the one
    /// before. While the device is not registered it waits for that.
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
            state.background.wish = BackgroundWish(
                number: state.background.lastNumber, tags: tags, alias: alias, deliver: deliver)
            wakeBackground(&state)
        }
    }

    /// Gives up what is made in the background; a request that is under way ends by itself.
    func endBackground() { withState { endBackground(&$0, Self.superseded) } }

    func endBackground(_ state: inout State, _ fault: SessionFault) {
        if let nap = state.background.nap { state.cancelled.append(nap) }
        guard let wish = state.background.wish else { return }
        wish.deliver(.failure(fault))
        state.spent.append(wish)
        state.background.wish = nil
    }

    func wakeBackground(_ state: inout State) {
        guard state.background.wish != nil, !state.background.isRunning, case .done = state.registration else { return }
        state.background.isRunning = true
        Task { await self.fulfillWishes() }
    }

    private static let superseded = SessionFault(
        PushError(
            .cancelled, "a newer setting in the background took its place, or the session ended", effect: .unknown),
        about: .tags)

    /// One request at a time, so that the newest wish is the last to reach the vendor; halves that are done are not
    /// made again, unless the device is another one.
    private func fulfillWishes() async {
        var aim: (number: Int, device: DeviceID)?
        var parts: [(SessionSubject, SessionWork.Part)] = []
        var halves = SessionHalves()
        var waits: ArraySlice<Duration> = []
        while let (wish, device) = nextWish() {
            if aim?.number != wish.number || aim?.device != device {
                (aim, halves, waits) = ((wish.number, device), SessionHalves(), rules.backgroundWaits[...])
                do throws(SessionFault) {
                    parts = try work.plan(.overlay(tags: wish.tags, alias: wish.alias), of: device)
                } catch {
                    fulfill(wish.number, of: device, .failure(error))
                    continue
                }
            }
            await work.overlay(parts, of: device, &halves) { isCurrent(wish.number) }
            guard let failure = halves.failure else {
                fulfill(wish.number, of: device, .success(halves))
                continue
            }
            guard failure.error.retry != .never, var wait = waits.first else {
                fulfill(wish.number, of: device, .failure(failure))
                continue
            }
            if waits.count > 1 { waits.removeFirst() }
            if case .after(let hint) = failure.error.retry { wait = max(wait, hint) }
            await nap(wait, before: wish.number)
        }
    }

    /// Nil ends the loop: there is no wish, or none that could be fulfilled before the device is registered.
    private func nextWish() -> (BackgroundWish, DeviceID)? {
        withState { state in
            guard let wish = state.background.wish, case .done(let registration) = state.registration else {
                state.background.isRunning = false
                return nil
            }
            return (wish, registration.device)
        }
    }

    private func isCurrent(_ number: Int) -> Bool { withState { $0.background.wish?.number == number } }

    /// Tells what became of a wish, unless there is a newer one or the device is another one by now.
    private func fulfill(
        _ number: Int, of device: DeviceID, _ result: Swift.Result<SessionHalves, SessionFault>
    ) {
        withState { state in
            guard let wish = state.background.wish, wish.number == number else { return }
            if case .done(let registration) = state.registration, registration.device != device { return }
            state.background.wish = nil
            wish.deliver(result)
            state.spent.append(wish)
        }
    }

    /// Waits, unless there is a newer wish or becomes one.
    private func nap(_ time: Duration, before number: Int) async {
        let nap: Task<Void, Never>? = withState { state in
            guard state.background.wish?.number == number else { return nil }
            let nap = Task { [clock] in
                do throws(CancellationError) { try await clock.sleep(for: time) } catch {}
            }
            state.background.nap = nap
            return nap
        }
        await nap?.value
    }
}
