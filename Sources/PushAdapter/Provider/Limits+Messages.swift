extension Limits {
    /// Refuses a message that is empty, breaks the rule of a field, or has a number that JSON cannot represent. Also refuses
    /// a time to live that is over the provider's limit.
    func check(_ message: Message, of provider: ProviderID) throws(PushError) {
        guard !message.features.isEmpty else {
            throw PushError(
                .invalidArgument, "the message is empty; give it a notification, a custom message or other content")
        }
        try FieldRow.check(message)
        for (name, value) in [("liveActivity", message.liveActivity), ("voip", message.voip)]
        where value?.isWritable == false {
            throw PushError(.invalidArgument, "\(name) has NaN, which JSON cannot represent; remove it")
        }
        guard message.notification?.isEmpty != true else {
            throw PushError(
                .invalidArgument, "the notification is empty; give it a text, or a badge or a sound for a platform")
        }
        if let life = message.timeToLive {
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
