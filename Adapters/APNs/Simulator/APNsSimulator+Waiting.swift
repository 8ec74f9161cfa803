import FoundationEssentials
import PushSimulation

/// Messages that wait for an offline device: the last push to each token, and the newest broadcast of each channel.
extension APNsSimulator {
    private enum Waiting {
        case push(Push, at: TokenState, token: String)
        case broadcast(Broadcast, to: ChannelState.Subscriber, channel: String, app: String)
    }

    /// Delivers the waiting messages in the order in which they were sent.
    func handWaiting(to device: String, _ now: Date) {
        let waiting = waitingPushes(for: device, now) + waitingBroadcasts(for: device, now)
        for item in waiting.sorted(by: { $0.number < $1.number }) {
            switch item.content {
            case .push(let push, let state, let token): deliver(push, at: state, token, now)
            case .broadcast(let broadcast, let subscriber, let channel, let app):
                deliver(broadcast, to: subscriber, of: channel, app, now)
            }
        }
    }

    /// Takes the waiting pushes that have not expired.
    private func waitingPushes(for device: String, _ now: Date) -> [(number: Int, content: Waiting)] {
        var waiting: [(number: Int, content: Waiting)] = []
        for (token, state) in table.states(of: device) {
            guard let (push, end, number) = state.waiting else { continue }
            table.change(token) { $0.waiting = nil }
            if end > now { waiting.append((number, .push(push, at: state, token: token))) }
        }
        return waiting
    }

    private func waitingBroadcasts(for device: String, _ now: Date) -> [(number: Int, content: Waiting)] {
        var waiting: [(number: Int, content: Waiting)] = []
        for (app, state) in apps {
            for (id, channel) in state.channels {
                guard let (broadcast, end) = channel.newest, end > now else { continue }
                for (subscriber, last) in channel.subscribers
                where subscriber.device == device && last < broadcast.number {
                    waiting.append(
                        (broadcast.number, .broadcast(broadcast, to: subscriber, channel: id, app: app)))
                }
            }
        }
        return waiting
    }
}
