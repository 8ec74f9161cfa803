import PushAdapter

/// The rules of JPush for a platform's object.
extension JPushEncoder {
    func checkAndroid(_ notification: Notification, _ more: JSONValue?) throws(PushError) {
        try check(notification.android?.channelID?.utf8.count ?? 0, .jpushChannelID, "the Android channel id")
        guard notification.android?.image == nil || (more?["style"] == nil && more?["big_pic_path"] == nil) else {
            throw PushError(
                .invalidArgument,
                "the Android notification has an image and the option android.style or big_pic_path; remove one")
        }
    }

    func badge(_ badge: Badge?) throws(PushError) -> JSONValue? {
        let number =
            switch badge {
            case nil: 0
            case .set(let number), .change(let number): number
            }
        if let bound = limits[.jpushBadge], bound.overflow == .reject, number.magnitude > max(0, bound.maximum) {
            throw PushError(
                .invalidArgument,
                "the badge is set to or changed by \(number); JPush takes at most \(bound.maximum) (\(bound.source))")
        }
        switch badge {
        case nil: return nil
        case .set(let number) where number < 0:
            throw PushError(.invalidArgument, "the badge is \(number); give 0 or more")
        case .set(let number): return JSONValue(integerLiteral: number)
        case .change(let change): return .string(change < 0 ? "\(change)" : "+\(change)")
        }
    }
}
