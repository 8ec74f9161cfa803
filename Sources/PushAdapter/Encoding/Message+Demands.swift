package import PushCore

/// Rules of vendors with one platform. All refusals name the vendor.
extension Message {
    /// Refuses with `unsupported` a message that is also for other platforms.
    package func checkPlatforms(only platform: Platform, at vendor: String) throws(PushError) {
        guard let other = platforms?.subtracting([platform]).min() else { return }
        throw PushError(
            .unsupported,
            "\(vendor) reaches \(platform) only, and the message is also for \(other); leave platforms out, and send to "
                + "the other devices through their vendor", operation: .send)
    }

    /// The notification of a message for Android. Refuses with `unsupported` other platforms, and any other content.
    package func onlyNotification(at vendor: String) throws(PushError) -> Notification {
        try checkPlatforms(only: .android, at: vendor)
        guard let notification, custom == nil, liveActivity == nil, voip == nil else {
            throw PushError(.unsupported, "a message of \(vendor) is one notification", operation: .send)
        }
        return notification
    }

    /// Refuses with `unsupported` other platforms than Android, and a message that is not either a notification or a
    /// custom message.
    package func checkHasOneContent(at vendor: String) throws(PushError) {
        try checkPlatforms(only: .android, at: vendor)
        guard liveActivity == nil, voip == nil, (notification == nil) != (custom == nil) else {
            throw PushError(
                .unsupported, "a message of \(vendor) is one notification or one custom message", operation: .send)
        }
    }
}

extension Notification {
    /// Title and text on Android, for a vendor that demands both. The app's default replaces a missing title.
    ///
    /// Refuses with `invalidArgument` a title or text that is missing or blank.
    package func texts(
        orTitle defaultTitle: String?, at id: ProviderID, named vendor: String
    ) throws(PushError) -> (title: String, body: String) {
        let given = try plainTitle(on: .android, at: id)
        guard let title = (given == "" ? nil : given) ?? defaultTitle, !title.isBlank else {
            throw PushError(
                .invalidArgument, "\(vendor) demands a title; give the notification one, or set defaultTitle",
                operation: .send)
        }
        let body = try plainBody(on: .android, at: id)
        guard !body.isBlank else {
            throw PushError(
                .invalidArgument, "\(vendor) demands a text; give the notification a body", operation: .send)
        }
        return (title, body)
    }
}

extension String {
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
