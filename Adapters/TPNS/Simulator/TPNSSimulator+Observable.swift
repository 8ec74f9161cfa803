public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension TPNSSimulator: ConnectableSimulator {
    /// What an app has about a device; nil if no app has it. TPNS has no aliases and no Live Activities.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        find(device).map { state in
            var snapshot = DeviceSnapshot(
                tags: state.tags, accounts: Set(state.accounts.map { Account(name: $0.value.account, type: $0.key) }),
                attributes: state.attributes, inbox: state.inbox.messages)
            snapshot.device = state.device
            snapshot.badge = state.badge
            snapshot.language = state.language
            return snapshot
        }
    }

    /// Applies writes and sends pushes that are due.
    public func settle(at now: Date) { advance(to: now) }

    func advance(to now: Date) {
        for id in apps.keys {
            guard var app = apps[id], app.isDue(now) else { continue }
            // In the order of their times: a push may be due before a write that was answered earlier.
            while let step = app.nextDue(now) {
                switch step {
                case .write(let write): write(&app)
                case .push(let push): send(push, &app, app.pushes[push]?.date ?? now)
                }
            }
            apps[id] = app
        }
    }
}
