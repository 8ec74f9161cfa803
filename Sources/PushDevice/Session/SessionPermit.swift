import PushAdapter

/// The right to make one request. It holds slots until it is ended or released.
final class SessionPermit: Sendable {
    private let gate: SessionGate
    private let device: DeviceID
    private let slots: Locked<[SessionSubject]>

    init(_ slots: [SessionSubject], of device: DeviceID, _ gate: SessionGate) {
        self.gate = gate
        self.device = device
        self.slots = Locked(slots)
    }

    deinit {
        let held = take()
        if !held.isEmpty { gate.release(held, of: device) }
    }

    func end(with answer: SessionGate.Answer, _ deliver: SessionGate.Deliver<SessionAnswer>) {
        gate.release(take(), of: device) { deliver(answer) }
    }

    private func take() -> [SessionSubject] {
        slots.withLock { slots in
            defer { slots = [] }
            return slots
        }
    }
}
