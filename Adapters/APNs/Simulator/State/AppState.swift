import FoundationEssentials
import PushSimulation

/// The state of an app, without its tokens.
struct AppState {
    let teamID: String
    var hasBroadcasts: Bool
    var channels: [String: ChannelState] = [:]

    init(_ app: APNsApp) {
        teamID = app.teamID
        hasBroadcasts = app.hasBroadcasts
    }

    /// The ids of all channels, the oldest first.
    var channelIDs: [String] { channels.sorted { $0.value.number < $1.value.number }.map(\.key) }

    /// Ends a device's subscriptions: all, or those of one Live Activity.
    mutating func unsubscribe(_ device: String, from activity: String? = nil) {
        for (id, channel) in channels {
            for subscriber in channel.subscribers.keys
            where subscriber.device == device && (activity ?? subscriber.activity) == subscriber.activity {
                channels[id]?.subscribers[subscriber] = nil
            }
        }
    }
}

/// A broadcast channel.
struct ChannelState {
    /// A Live Activity that follows the channel.
    struct Subscriber: Hashable {
        let device: String
        let activity: String
    }

    let number: Int
    /// 0 for a channel that stores nothing, 1 for one that stores the newest broadcast.
    let policy: Int
    /// Each subscriber with the number of the last broadcast that reached it.
    var subscribers: [Subscriber: Int] = [:]
    var newest: (broadcast: Broadcast, end: Date)?
    var broadcasts = RateWindow(seconds: 60)

    init(number: Int, policy: Int) {
        self.number = number
        self.policy = policy
    }
}
