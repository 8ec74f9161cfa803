public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension TPNSSimulator: ConnectableSimulator {
    /// The state of a device; nil if no app has it. TPNS has no aliases and no Live Activities.
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

    /// Applies due writes and sends due pushes.
    public func settle(at now: Date) { advance(to: now) }

    func advance(to now: Date) {
        for id in apps.keys {
            guard var app = apps[id], app.isDue(now) else { continue }
            // In the order of their times: a push may be due before a write whose response was earlier.
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
