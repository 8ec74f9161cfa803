public import PushAdapter

/// What the benchmarks send: an order's state with a few fields for the app, about 600 bytes to one device.
public enum Sample {
    /// An app key that does not exist.
    public static let appKey = "0123456789abcdef01234567"
    /// A secret that does not exist.
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

    /// The vendor's response to a push.
    public static let reply = #"{"sendno":"0","msg_id":"58546795520"}"#
    /// The vendor's response to a request for a thousand idempotency keys, which differ from batch to batch.
    public static func keyReply(batch: String) -> String {
        "{\"cidlist\": [" + (0..<1000).map { "\"\(batch)-\(10000 + $0)\"" }.joined(separator: ",") + "]}"
    }

    /// This many ids of the vendor's form, all different.
    public static func devices(_ count: Int) -> [DeviceID] { (0..<count).map { DeviceID(device($0)) } }

    /// The id with this number: 19 hexadecimal digits, as the vendor's examples have.
    public static func device(_ number: Int) -> String {
        // An odd factor spreads the digits and keeps the numbers apart.
        let digits = String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        return "190" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// This many tokens of Apple's form, all different.
    public static func tokens(_ count: Int) -> [DeviceID] { (0..<count).map { DeviceID(token($0)) } }

    /// The token with this number: 64 hexadecimal digits, as apps have.
    public static func token(_ number: Int) -> String {
        let factors: [UInt64] = [
            0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93,
        ]
        return factors.map { factor in
            let digits = String(UInt64(truncatingIfNeeded: number + 1) &* factor, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension Capabilities {
    /// The same with quotas that no benchmark reaches; otherwise it would measure only the quota.
    public var unmetered: Capabilities {
        var copy = self
        copy.quotas = quotas.mapValues { _ in Quota(1_000_000_000, per: .seconds(1), source: "benchmark") }
        return copy
    }
}
