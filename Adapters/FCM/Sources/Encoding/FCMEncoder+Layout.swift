import PushAdapter

extension FCMEncoder {
    /// Where the texts and the data of a notification go: once for all platforms, or separately for each platform.
    ///
    /// The vendor adds the common texts and data to those of a platform. A phone that gets a plain text and a key shows
    /// the plain text. Apple's devices would get more data than the message has for them. So a part that one platform
    /// must not get is written for each of the others, and never for all.
    struct Layout {
        /// Whether each platform gets its own title, and its own text.
        let splitsTitle, splitsBody: Bool
        /// Whether each platform gets its own data.
        let splitsData: Bool

        init(_ notification: Notification?) {
            func isSplit(_ texts: [Text?]) -> Bool { texts.contains { $0?.isLocalized == true } }
            splitsTitle = isSplit([notification?.title, notification?.android?.title, notification?.ios?.title])
            splitsBody = isSplit([notification?.body, notification?.android?.body, notification?.ios?.body])
            let isLess = notification?.ios?.extras != nil || notification?.android?.extras?.isEmpty == true
            splitsData = isLess && notification?.extras.isEmpty == false
        }

        /// The `notification` for all platforms.
        func common(_ notification: Notification?) -> Fields {
            var fields: Fields = [:]
            fields["title"] = splitsTitle ? nil : (notification?.title?.plain).map(JSONValue.string)
            fields["body"] = splitsBody ? nil : (notification?.body?.plain).map(JSONValue.string)
            fields["image"] = notification?.image.map(JSONValue.string)
            return fields
        }

        /// The texts of the `notification` for Android.
        func android(_ notification: Notification) -> [(name: String, text: Text?)] {
            [
                ("title", splitsTitle ? notification.title(on: .android) : notification.android?.title),
                ("body", splitsBody ? notification.body(on: .android) : notification.android?.body),
            ]
        }

        /// The texts of the `notification` for browsers, which do not translate texts.
        func web(_ notification: Notification?) -> [(name: String, text: String?)] {
            [
                ("title", splitsTitle ? notification?.title?.plain : nil),
                ("body", splitsBody ? notification?.body?.plain : nil),
            ]
        }
    }
}
