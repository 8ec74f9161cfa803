public import FoundationEssentials
import PushCore
public import PushSimulation

extension TPNSSimulator: ObservableSimulator {
    /// Tags, accounts, attributes and inbox of a device; nil for one that no app has. TPNS has no aliases.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        find(device).map { state in
            DeviceSnapshot(
                tags: state.tags, accounts: Set(state.accounts.map { Account(name: $0.value.account, type: $0.key) }),
                attributes: state.attributes, inbox: state.inbox)
        }
    }

    /// Carries out writes and pushes that are due.
    public func settle(at now: Date) { advance(to: now) }

    func advance(to now: Date) {
        for id in apps.keys {
            guard var app = apps[id], app.isDue(now) else { continue }
            // In the order of their moments: a push may come before a write that was answered before it.
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
