public import PushCore

/// What the benchmarks send: an order's state with a few fields for the app, about 600 bytes to one device.
public enum Sample {
    /// Of nobody.
    public static let appKey = "0123456789abcdef01234567"
    /// Of nobody.
    public static let masterSecret = "secretsecretsecretsecret"

    /// The message of all benchmarks.
    public static var message: Message {
        var notification = Notification(
            title: "Your order has left", body: "Parcel 2 of 3 is on its way and should arrive tomorrow before noon.")
        notification.extras = ["order": "2024-000815", "screen": "parcel", "count": 3]
        var message = Message(notification: notification)
        message.platforms = [.android, .ios]
        message.timeToLive = .seconds(3600)
        return message
    }

    /// So many ids of the vendor's form, all different.
    public static func devices(_ count: Int) -> [DeviceID] { (0..<count).map { DeviceID(device($0)) } }

    /// The id with this number: 19 hexadecimal digits, as the vendor's examples have.
    public static func device(_ number: Int) -> String {
        // An odd factor spreads the digits and keeps the numbers apart.
        let digits = String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        return "190" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
