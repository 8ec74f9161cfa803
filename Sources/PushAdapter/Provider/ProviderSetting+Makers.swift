/// The settings that several adapters of phone makers have.
extension ProviderSetting {
    /// `defaultTitle`.
    package static let defaultTitle = optional(
        "defaultTitle", "the title of notifications without one, such as the app's name; the vendor demands one")

    /// `dayOffsetHours`.
    package static let dayOffsetHours = optional(
        "dayOffsetHours", "hours the clock of the vendor's days is ahead of UTC; default 8", .number(-14...14))

    /// `keyMemoryMinutes`.
    /// - Parameter memory: who remembers which key.
    package static func keyMemoryMinutes(_ memory: String) -> ProviderSetting {
        optional("keyMemoryMinutes", "how long \(memory); no source says; default 60", .integer(1...100_000))
    }
}

extension ProviderSettings {
    /// The days that `dayOffsetHours` describes; by default those of China.
    package var day: CalendarDay {
        numberIfPresent("dayOffsetHours").map { CalendarDay(utcOffset: .seconds($0 * 3600)) } ?? .china
    }

    /// Replaces the time for which a vendor remembers the keys of sends, if `keyMemoryMinutes` is set.
    package func applyKeyMemory(to capabilities: inout Capabilities) {
        guard let minutes = integerIfPresent("keyMemoryMinutes") else { return }
        capabilities.callerKeys[.push]?.duration = .seconds(minutes * 60)
    }
}
