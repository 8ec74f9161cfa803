public import PushAdapter

extension ServiceName {
    static let apns: ServiceName = "apns"
    static let apnsSandbox: ServiceName = "apns.sandbox"
    static let apnsBroadcast: ServiceName = "apns.broadcast"
    static let apnsBroadcastSandbox: ServiceName = "apns.broadcast.sandbox"
    static let apnsChannels: ServiceName = "apns.channels"
    static let apnsChannelsSandbox: ServiceName = "apns.channels.sandbox"
}

extension APNs {
    /// One data center for the whole world, on the usual port or on the other port that the vendor offers for
    /// firewalls. Each has the hosts of both environments.
    ///
    /// Source: Sending notification requests to APNs, 2026; Sending channel management requests to APNs, 2026.
    public static let dataCenters = DataCenterCatalog(
        center("apple", port: ""), and: [center("apple-2197", port: ":2197")])

    private static func center(_ name: String, port: String) -> DataCenter {
        var center = DataCenter(
            name,
            services: [
                .apns: "https://api.push.apple.com\(port)", .apnsSandbox: "https://api.sandbox.push.apple.com\(port)",
                .apnsBroadcast: "https://api-broadcast.push.apple.com",
                .apnsBroadcastSandbox: "https://api-broadcast.sandbox.push.apple.com",
                .apnsChannels: "https://api-manage-broadcast.push.apple.com:2196",
                .apnsChannelsSandbox: "https://api-manage-broadcast.sandbox.push.apple.com:2195",
            ])
        center.http2Services = Set(center.services.keys)
        return center
    }
}
