import PushAdapter

/// An SDK's slots and rate limits, for all devices of a client. Sessions of one device under rules of one name share
/// them, so a session for each request admits no more than one session for all.
final class Admissions: Sendable {
    private struct Key: Hashable {
        var device: DeviceID
        var rules: String
    }

    private struct Device {
        var taken: Set<SessionSubject> = []
        /// When the calls in each window were accepted, oldest first.
        var entries: [SessionRules.Window: [Duration]] = [:]
        /// When the last of its calls leaves its window.
        var isFreeAt = Duration.zero
    }

    private struct State {
        var devices: [Key: Device] = [:]
        /// Sweeps the devices when there are this many.
        var sweepAt = 1024
    }

    private let state = Locked(State())

    /// Takes the slots of a call and counts it in its windows; refuses it if a slot is taken or a window is full.
    /// - Returns: the slots, to be released.
    func admit(
        _ kind: SessionCall.Kind, of device: DeviceID, _ rules: SessionRules, at now: Duration
    ) throws(SessionFault) -> [SessionSubject] {
        let slots = rules.slots[kind] ?? []
        let windows = rules.windows.filter { $0.kinds.contains(kind) }
        guard !slots.isEmpty || !windows.isEmpty else { return [] }
        return try state.withLock { (state) throws(SessionFault) in
            Self.sweep(&state, now)
            let key = Key(device: device, rules: rules.name)
            var own = state.devices[key] ?? Device()
            if let slot = slots.first(where: own.taken.contains) {
                throw SessionFault(
                    .busy, about: slot, .busy, "another request about \(slot) is in flight; wait for its answer",
                    retry: .backoff)
            }
            for window in windows {
                let entries = own.entries[window, default: []].drop { $0 + window.length <= now }
                guard entries.count < window.count else {
                    let wait = (entries.first ?? now) + window.length - now
                    throw SessionFault(
                        .tooFrequent, about: kind.subjects.min() ?? .service, .rateLimited,
                        "more than \(window.count) such calls in \(window.length)", retry: .after(wait))
                }
                own.entries[window] = Array(entries)
            }
            for window in windows {
                own.entries[window, default: []].append(now)
                own.isFreeAt = max(own.isFreeAt, now + window.length)
            }
            own.taken.formUnion(slots)
            state.devices[key] = own
            return slots
        }
    }

    /// Frees slots of a device.
    func release(_ slots: [SessionSubject], of device: DeviceID, _ rules: SessionRules) {
        guard !slots.isEmpty else { return }
        state.withLock { $0.devices[Key(device: device, rules: rules.name)]?.taken.subtract(slots) }
    }

    /// Forgets devices without slots and recent calls, once there are many.
    private static func sweep(_ state: inout State, _ now: Duration) {
        guard state.devices.count >= state.sweepAt else { return }
        state.devices = state.devices.filter { !$0.value.taken.isEmpty || $0.value.isFreeAt > now }
        state.sweepAt = max(1024, state.devices.count * 2)
    }
}
