import PushAdapter

extension FCMEncoder {
    /// Where the texts and the data of a notification stand: once for all platforms, or with each platform.
    ///
    /// The vendor adds the common texts and data to what a platform has. A phone that gets a plain text and a key shows the
    /// plain text, and the data of Apple's devices would be more than the message says. So what a platform must not get
    /// stands with each of the others, and nothing stands for all.
    struct Layout {
        /// Whether each platform has its own title, and its own text.
        let splitsTitle, splitsBody: Bool
        /// Whether each platform has its own data.
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

        /// The texts of the `notification` for browsers, which translate none.
        func web(_ notification: Notification?) -> [(name: String, text: String?)] {
            [
                ("title", splitsTitle ? notification?.title?.plain : nil),
                ("body", splitsBody ? notification?.body?.plain : nil),
            ]
        }
    }
}
