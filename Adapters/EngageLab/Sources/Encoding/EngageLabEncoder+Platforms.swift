import JiguangDialect
import PushAdapter

/// The notification's object for each platform.
extension EngageLabEncoder {
    func write(
        _ notification: Notification, of message: Message, _ options: EngageLabOptions?, _ json: inout JSONWriter
    ) throws(PushError) {
        func isWanted(_ platform: Platform) -> Bool { message.platforms?.contains(platform) ?? true }
        if let body = notification.body { json.field("alert", try body.plain(.body, at: EngageLab.id)) }
        if isWanted(.android) {
            let more = message.engageLabOptions(in: "body.notification.android")
            guard notification.android?.image == nil || more?["style"] == nil else {
                throw PushError(
                    .invalidArgument, "EngageLab shows a picture or the option android.style, not both; remove one")
            }
            _ = try api.writeAndroid(notification, more, &json)
        }
        if isWanted(.harmony) {
            _ = try api.writeHarmony(
                notification, message.engageLabOptions(in: "body.notification.hmos"), &json)
        }
        if isWanted(.ios) {
            let more = options?.ios.map { (sound: $0.sound, alert: $0.alert) }
            _ = try api.writeIOS(notification, more, badge: try badge(notification.ios?.badge), &json)
        }
    }

    private func badge(_ badge: Badge?) throws(PushError) -> JSONValue? {
        switch badge {
        case nil: return nil
        case .set(let number):
            guard number >= 0 else { throw PushError(.invalidArgument, "the badge is \(number); give 0 or more") }
            return JSONValue(integerLiteral: number)
        case .change(let change):
            guard change >= 0 else {
                throw PushError(
                    .unsupported, "EngageLab documents only adding to a badge, not \(change)", operation: .send)
            }
            return .string("+\(change)")
        }
    }
}
