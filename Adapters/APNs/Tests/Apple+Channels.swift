import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// Calls about channels.
extension Apple {
    static let channel = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#

    /// A change of a Live Activity.
    static func change(_ event: String = "update", _ timestamp: Int = 1_795_165_200, eta: Int = 1) -> String {
        #"{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{"eta":\#(eta)}}}"#
    }

    /// Sends a request about channels.
    /// - Parameters:
    ///   - id: the id of a channel, for the header field.
    ///   - end: the end of the path.
    func channels(
        _ method: HTTPRequest.Method, _ body: String = "", id: String? = nil, app: String = Apple.shop,
        end: String = "channels", _ headers: [String: String?] = [:], over connection: SimulatedConnection? = nil
    ) async -> SimulatedResponse {
        let usual = ["authorization": "bearer " + bearer, "apns-channel-id": id]
        return await ask(method, "/1/apps/\(app)/\(end)", usual.merging(headers) { $1 }, body, over: connection)
    }

    func list(_ app: String = Apple.shop, over connection: SimulatedConnection? = nil) async -> SimulatedResponse {
        await channels(.get, app: app, end: "all-channels", over: connection)
    }

    func makeChannel(policy: Int = 1, app: String = Apple.shop) async throws -> String {
        let answer = await channels(.post, Self.channel.replacing(":1", with: ":\(policy)"), app: app)
        #expect(answer.status == 201)
        return try #require(answer.header("apns-channel-id"))
    }

    /// Sends a broadcast with expiration 0.
    /// - Parameter headers: replace the usual ones; nil removes one.
    func broadcast(
        to channel: String?, _ body: String = Apple.change(), _ headers: [String: String?] = [:],
        app: String = Apple.shop
    ) async -> SimulatedResponse {
        let usual = [
            "authorization": "bearer " + bearer, "apns-channel-id": channel, "apns-push-type": "liveactivity",
            "apns-expiration": "0", "apns-priority": "10",
        ]
        return await ask(.post, "/4/broadcasts/apps/\(app)", usual.merging(headers) { $1 }, body)
    }
}
