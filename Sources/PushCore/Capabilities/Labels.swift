/// Labels of the model's features and limits, for tables and for settings that name a feature or a limit.
extension Feature {
    /// Every feature of the model with a label, in the order in which readers ask. Adapters have more of their own.
    public static let model: [(feature: Feature, label: String)] = [
        (.send, "send a message"), (.validate, "let the vendor check a message"),
        (.mintKeys, "idempotency keys of its own"),
        (.audienceEveryone, "to everyone"), (.audienceDevices, "to devices"), (.audienceAliases, "to aliases"),
        (.audienceAccounts, "to accounts"), (.audienceTagsAnyOf, "to any of some tags"),
        (.audienceTagsAllOf, "to all of some tags"), (.audienceTagsNoneOf, "to none of some tags"),
        (.audienceSegment, "to a segment of the console"), (.audienceLiveActivity, "to a Live Activity"),
        (.audienceFile, "to an uploaded list"), (.contentNotification, "notification"),
        (.contentCustom, "custom message"), (.contentLiveActivity, "Live Activity"), (.contentVoIP, "VoIP push"),
        (.contentBadgeArithmetic, "add to a badge"), (.createSchedule, "schedule a message"),
        (.scheduleOnce, "at one moment"), (.scheduleRecurring, "recurring"), (.readSchedule, "read a schedule"),
        (.listSchedules, "list schedules"), (.removeSchedule, "end a schedule"), (.readTags, "read tags"),
        (.testTag, "ask for one tag"), (.addTags, "add tags"), (.removeTags, "remove tags"),
        (.replaceTags, "replace tags"), (.clearTags, "clear tags"),
        (.addMembers, "give many devices a tag"), (.removeMembers, "take a tag from many devices"),
        (.readAlias, "read an alias"),
        (.setAlias, "set an alias"), (.removeAlias, "remove an alias"),
        (.readAliasDevices, "read the devices of an alias"), (.deleteAlias, "take an alias off all devices"),
        (.updateDevice, "change tags and alias in one request"),
        (.readAccounts, "read the accounts of a device"), (.readAccountDevices, "read the devices of an account"),
        (.addAccounts, "bind accounts"), (.removeAccounts, "unbind accounts"), (.replaceAccounts, "replace accounts"),
        (.clearAccounts, "unbind all accounts"), (.readAttributes, "read attributes"),
        (.addAttributes, "set attributes"), (.removeAttributes, "remove attributes"),
        (.replaceAttributes, "replace attributes"), (.clearAttributes, "clear attributes"),
        (.readPhone, "read a phone number"),
        (.setPhone, "set a phone number"), (.removePhone, "remove a phone number"),
        (.readDeliveries, "delivery counts"), (.probeCredentials, "check credentials"),
    ]
}

extension LimitKey {
    /// Every limit of the model, with a label and the feature that it applies to. Adapters have more of
    /// their own.
    public static let model: [(limit: LimitKey, label: String, feature: Feature)] = [
        (.devicesPerSend, "devices in a request", .audienceDevices),
        (.aliasesPerSend, "aliases in a request", .audienceAliases),
        (.accountsPerSend, "accounts in a request", .audienceAccounts),
        (.tagsPerSend, "tags in a set of an audience", .audienceTagsAnyOf),
        (.tagsPerAudience, "tags in an audience, together", .audienceTagsAnyOf), (.tagLength, "a tag", .addTags),
        (.aliasLength, "an alias", .setAlias),
        (.accountLength, "an account", .addAccounts),
        (.accountsPerType, "accounts of a type on a device", .addAccounts),
        (.devicesPerAccount, "devices of an account", .addAccounts),
        (.attributeName, "an attribute's name", .addAttributes),
        (.attributeValue, "an attribute's value", .addAttributes),
        (.attributesPerDevice, "attributes of a device", .addAttributes),
        (.deviceIDLength, "a device id", .send), (.tagsPerCall, "tags in a change", .addTags),
        (.devicesPerTagCall, "devices in a change of a tag", .addMembers),
        (.tagBytesPerCall, "tags in a change, together", .addTags),
        (.tagsPerDevice, "tags of a device", .addTags), (.devicesPerAlias, "devices of an alias", .setAlias),
        (.messagesPerReport, "messages in a report", .readDeliveries),
        (.timeToLive, "time to live of a message", .send), (.payloadBytes, "a message, as the vendor counts it", .send),
        (.keysPerMint, "keys in a request", .mintKeys), (.idempotencyKey, "a key of your own", .send),
        (.phoneLength, "a phone number", .setPhone),
        (.scheduleName, "a schedule's name", .createSchedule),
        (.scheduleHorizon, "how far ahead a schedule may start", .createSchedule),
        (.schedules, "schedules of an app", .createSchedule),
    ]
}
