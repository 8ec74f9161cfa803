extension Limits {
    /// Refuses a message that is empty, names no platform, or has a number that JSON cannot represent. Also refuses a
    /// time to live that is not whole seconds or is over the provider's limit.
    func check(_ message: Message, of provider: ProviderID) throws(PushError) {
        guard !message.features.isEmpty else {
            throw PushError(
                .invalidArgument, "the message is empty; give it a notification, a custom message or other content")
        }
        if message.platforms?.isEmpty == true {
            throw PushError(.invalidArgument, "the message names no platform; leave platforms out to mean all")
        }
        let notification = message.notification
        let values: [(name: String, value: JSONValue?)] = [
            ("the notification's extras", notification.map { .object($0.extras) }),
            ("the custom message's extras", message.custom.map { .object($0.extras) }),
            ("the iOS extras", notification?.ios?.extras.map(JSONValue.object)),
            ("the Android extras", notification?.android?.extras.map(JSONValue.object)),
            ("the HarmonyOS extras", notification?.harmony?.extras.map(JSONValue.object)),
            ("liveActivity", message.liveActivity), ("voip", message.voip),
        ]
        for (name, value) in values where value?.isWritable == false {
            throw PushError(.invalidArgument, "\(name) has NaN, which JSON cannot represent; remove it")
        }
        let images = [notification?.image, notification?.ios?.image, notification?.android?.image]
        guard !images.contains("") else {
            throw PushError(.invalidArgument, "the image is empty; give an address, or leave it out")
        }
        let (ios, android) = (notification?.ios, notification?.android)
        let texts = [
            ios?.localizedTitle, ios?.localizedSubtitle, ios?.localizedBody, android?.localizedTitle,
            android?.localizedBody,
        ]
        guard !texts.contains(where: { $0?.key.isEmpty == true }) else {
            throw PushError(.invalidArgument, "a localized text has an empty key; give the key of the app's table")
        }
        if let life = message.timeToLive {
            guard life >= .zero, life == .seconds(life.components.seconds) else {
                throw PushError(.invalidArgument, "timeToLive is \(life); give whole seconds, 0 or more")
            }
            try check(Int(life.components.seconds), "timeToLive", .timeToLive, of: provider)
        }
    }

    /// Refuses an audience that is empty or names something that the provider does not accept. Does not check the
    /// elements of a target list.
    package func checkForm(of audience: Audience, _ provider: ProviderID) throws(PushError) {
        switch audience {
        case .everyone: return
        case .devices(let ids) where !ids.isEmpty: return
        case .aliases(let aliases) where !aliases.isEmpty: return
        case .accounts(let accounts) where !accounts.isEmpty: return
        case .devices, .aliases, .accounts:
            throw PushError(.invalidArgument, "the list of targets is empty")
        case .tagged(let anyOf, let allOf, let noneOf):
            guard !(anyOf.isEmpty && allOf.isEmpty && noneOf.isEmpty) else {
                throw PushError(.invalidArgument, "the audience names no tag; use everyone to mean all devices")
            }
            try check(
                anyOf.count + allOf.count + noneOf.count, "the tags of the audience", .tagsPerAudience, of: provider)
            for tags in [anyOf, allOf, noneOf] {
                try check(tags.count, "a set of tags in the audience", .tagsPerSend, of: provider)
                try check(.tags(tags), of: provider)
            }
        case .segment(let id), .liveActivity(let id), .file(let id):
            try check(id, "the id in the audience", "audience.id", of: provider)
        }
    }
}
