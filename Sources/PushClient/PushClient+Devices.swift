public import PushCore

extension PushClient {
    /// The alias of a device, nil when it has none. One request.
    public func readAlias(of device: DeviceID) async throws(PushError) -> Alias? {
        try await run(.readAlias) { () throws(PushError) in
            try validation.check(device)
            return try role(\.aliasing, for: .readAlias).readAlias(of: device)
        }
    }

    /// Gives a device an alias, in place of the one it had. One request.
    ///
    /// Whether other devices may have the same alias is `capabilities.aliasSharing`; a vendor that allows only so many
    /// answers `limitExceeded`.
    public func setAlias(_ alias: Alias, of device: DeviceID) async throws(PushError) {
        try await run(.setAlias) { () throws(PushError) in
            try validation.check(device)
            try validation.check(alias)
            return try role(\.aliasing, for: .setAlias).setAlias(alias, of: device)
        }
    }

    /// Takes the alias off a device; harmless when it has none. One request.
    public func removeAlias(of device: DeviceID) async throws(PushError) {
        try await run(.removeAlias) { () throws(PushError) in
            try validation.check(device)
            return try role(\.aliasing, for: .removeAlias).setAlias(nil, of: device)
        }
    }

    /// The phone number of a device, nil when it has none. One request.
    public func readPhone(of device: DeviceID) async throws(PushError) -> PhoneNumber? {
        try await run(.readPhone) { () throws(PushError) in
            try validation.check(device)
            return try role(\.phoneBinding, for: .readPhone).readPhone(of: device)
        }
    }

    /// Gives a device a phone number, in place of the one it had. One request.
    public func setPhone(_ phone: PhoneNumber, of device: DeviceID) async throws(PushError) {
        try await run(.setPhone) { () throws(PushError) in
            try validation.check(device)
            try capabilities.limits.check(phone, of: provider.id)
            return try role(\.phoneBinding, for: .setPhone).setPhone(phone, of: device)
        }
    }

    /// Takes the phone number off a device; harmless when it has none. One request.
    public func removePhone(of device: DeviceID) async throws(PushError) {
        try await run(.removePhone) { () throws(PushError) in
            try validation.check(device)
            return try role(\.phoneBinding, for: .removePhone).setPhone(nil, of: device)
        }
    }

    /// What became of messages.
    ///
    /// Costs one request for as many messages as the provider reports at once (`limits[.messagesPerReport]`). Messages
    /// that the vendor does not know are missing from the answer. Refuses an empty list with `invalidArgument`.
    public func readDeliveries(of messages: [MessageID]) async throws(PushError) -> [DeliveryReport] {
        let size = capabilities.limits[.messagesPerReport]?.maximum ?? max(1, messages.count)
        var reports: [DeliveryReport] = []
        var start = 0
        repeat {
            let part = Array(messages[start..<min(start + size, messages.count)])
            reports += try await run(.readDeliveries) { () throws(PushError) in
                guard !part.isEmpty else { throw PushError(.invalidArgument, "there is no message id to report on") }
                return try role(\.reporting, for: .readDeliveries).readDeliveries(of: part)
            }
            start += size
        } while start < messages.count
        return reports
    }
}
