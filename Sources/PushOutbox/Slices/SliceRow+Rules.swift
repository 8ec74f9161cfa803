import FoundationEssentials
import PushAdapter
import PushClient

/// The rules of a slice. They are pure functions, so you can read and test each one without a store.
extension SliceRow {
    /// The number of `attempts` after which the targets of the last one are given up. Not while a key may be sent again.
    static let mostAttempts = 8
    /// Crashes after which a slice is quarantined.
    static let mostCrashes = 3
    /// The delay before resending to a target with an unknown outcome. By then the lost request has ended.
    static let resendPause: TimeInterval = 60

    static let firstDelay: TimeInterval = 5
    static let longestDelay: TimeInterval = 600
    /// The pause after an attempt that was given up because the worker or its client stops.
    static let workerPause: TimeInterval = 1
    /// The pause after a quota is used up, if the vendor names no time.
    static let quotaPause: TimeInterval = 900

    /// The rules for targets with an unknown outcome.
    struct Resending {
        var isAllowed: Bool
        var now: Moment
    }

    // MARK: A worker died

    /// The slice after its worker died. If the slice was only leased, nothing of it was sent.
    /// - Parameter wasAlone: whether the worker had no other slice of the route.
    func recovered(wasAlone: Bool, _ resending: Resending) -> SliceRow {
        var slice = self
        slice.endLease(at: resending.now.date)
        slice.state = .ready
        slice.crashes = wasAlone ? crashes + 1 : max(1, crashes)
        if state == .sending {
            // The notes are about an earlier attempt.
            slice.notes = SliceNotes(nil, adding: notes).bytes
            slice.lose(keyed, resending)
        }
        if slice.state == .ready, slice.crashes >= Self.mostCrashes { slice.state = .quarantined }
        return slice
    }

    /// The key of the next request.
    var idempotencyKey: IdempotencyKey? {
        guard let key, let keyUntil else { return nil }
        return IdempotencyKey(
            key, kind: .push, mintedAt: keyUsedAt ?? .distantPast, expiresAt: keyUntil, firstUsedAt: keyUsedAt)
    }

    /// Handles targets that may have been sent and have an unknown outcome. While the vendor remembers the key, the
    /// same request may be sent again.
    mutating func lose(_ indices: [Int], _ resending: Resending) {
        if resending.now.remembers(keyOf: self), !indices.isEmpty {
            mayHaveActed = true
            for index in indices { outcomes[index] = .openAgain }
            state = .ready
            return
        }
        // Those that counted while the key was kept say nothing against what follows.
        if mayHaveActed { attempts = 0 }
        forgetKey()
        if resending.isAllowed, resent == 0, !indices.isEmpty {
            resent = indices.count
            for index in indices { outcomes[index] = .openAgain }
            notBefore = resending.now.date.addingTimeInterval(Self.resendPause)
        } else {
            close(indices, as: .unknown)
        }
        // Still ready if messages move on: a worker must add their slices.
        state = open.isEmpty && !isMoving ? .done : .ready
    }

    mutating func forgetKey() {
        dropKey()
        (mayHaveActed, marked) = (false, 0)
        generation += 1
    }

    /// Whether the vendor may have acted on an earlier attempt, and may have forgotten its key.
    func hasLostKey(at now: Moment) -> Bool { mayHaveActed && !now.remembers(keyOf: self) }

    /// The targets of the request that carried the stored key.
    var keyed: [Int] { open.filter { $0 < marked && outcomes[$0] == .openAgain } }

    /// Makes the slice ready again without the stored key: the vendor may have forgotten it, or the same request cannot
    /// be made again.
    mutating func loseKey(_ resending: Resending) {
        endLease(at: resending.now.date)
        let lost = keyed
        dropKey()
        lose(lost, resending)
    }

    /// Removes a key that the request does not carry.
    mutating func dropKey() { (key, keyUntil, keyUsedAt, keyUptime) = (nil, nil, nil, nil) }

    /// Returns the slice ready again, with nothing sent. It was due when it was leased, so it is due now.
    /// - Parameter error: the reason for the report; nil keeps the one that is there.
    func givenBack(at date: Date, because error: PushError? = nil) -> SliceRow {
        var slice = self
        (slice.state, slice.owner, slice.notBefore) = (.ready, 0, date)
        if let error { slice.notes = SliceNotes(error, adding: notes).bytes }
        return slice
    }

    /// Takes the slice from its worker. It was due when it was leased, so a date ahead of now was read before the clock
    /// was set back.
    mutating func endLease(at date: Date) { (owner, notBefore) = (0, min(notBefore, date)) }

    /// Makes the unknown targets open again, because a person asked for it.
    mutating func resendUnknown(at now: Date) {
        for index in outcomes.indices where outcomes[index].kind == .unknown {
            outcomes[index] = .openAgain
            resent += 1
        }
        forgetKey()
        notes = SliceNotes(nil, adding: notes).bytes
        (state, attempts, crashes) = (.ready, 0, 0)
        notBefore = now.addingTimeInterval(Self.resendPause)
    }
}
