package import PushCore

extension [Feature: Support] {
    /// The features that a vendor has, and those that it lacks. If a feature is in both, the vendor lacks it.
    package init(native: [Feature], unsupported: [Feature: Support]) {
        self = Dictionary(uniqueKeysWithValues: native.map { ($0, .native) }).merging(unsupported) { $1 }
    }

    /// The features that a vendor lacks, by the reason with an alternative. A feature is in one row only.
    package static func unsupported(_ rows: [(features: [Feature], reason: String)]) -> [Feature: Support] {
        Dictionary(uniqueKeysWithValues: rows.flatMap { row in row.features.map { ($0, .unsupported(row.reason)) } })
    }
}

/// Features that a vendor often lacks together.
extension [Feature] {
    package static var tags: [Feature] {
        [
            .readTags, .testTag, .addTags, .removeTags, .replaceTags, .clearTags, .addMembers, .removeMembers,
            .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf,
        ]
    }
    package static var deviceAliases: [Feature] {
        [.setAlias, .readAlias, .removeAlias, .readAliasDevices, .deleteAlias]
    }
    package static var aliases: [Feature] { deviceAliases + [.audienceAliases] }
    package static var deviceAccounts: [Feature] {
        [.readAccounts, .readAccountDevices, .addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts]
    }
    package static var accounts: [Feature] { deviceAccounts + [.audienceAccounts] }
    package static var attributes: [Feature] {
        [.readAttributes, .addAttributes, .removeAttributes, .replaceAttributes, .clearAttributes]
    }
    package static var phones: [Feature] { [.readPhone, .setPhone, .removePhone] }
    package static var schedules: [Feature] {
        [.createSchedule, .readSchedule, .listSchedules, .removeSchedule, .scheduleOnce, .scheduleRecurring]
    }
}
