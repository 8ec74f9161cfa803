package import PushAdapter

extension QuotaBucket {
    /// Devices a second of the app: a request costs its tokens.
    package static let huaweiDevices: QuotaBucket = "huawei.devices"
}

/// Settings and declarations that both adapters have.
package enum HuaweiTables {
    /// The number of devices in a request, and the size of the message without them.
    package static func limits(_ source: String) -> [LimitKey: Limit] {
        [
            .devicesPerSend: Limit(1000, .count, .split, source: source),
            .payloadBytes: Limit(4096, .utf8Bytes, .reject, source: source),
            .timeToLive: Limit(1_296_000, .seconds, .reject, source: source),
        ]
    }

    /// The quota of an app whose console states its rate. The vendor publishes no number.
    package static func quota(_ devicesPerSecond: Int?) -> [QuotaBucket: Quota] {
        guard let devicesPerSecond else { return [:] }
        return [.huaweiDevices: Quota(devicesPerSecond, per: .seconds(1), source: "the app's console")]
    }

    /// The charges of a send: a test message counts as such, and each device if the quota of devices is known. The
    /// first bucket is the one that a refusal can say is used up.
    package static func charges(
        _ devices: Int, test: QuotaBucket?, _ capabilities: Capabilities
    ) -> [QuotaCharge] {
        let counts = devices > 0 && capabilities.quotas[.huaweiDevices] != nil
        return (test.map { [QuotaCharge($0)] } ?? []) + (counts ? [QuotaCharge(.huaweiDevices, cost: devices)] : [])
    }

    package static let settings: [ProviderSetting] = [
        .defaultTitle,
        .optional(
            "devicesPerSecond", "the rate of the app in the vendor's console; default: the client does not pace",
            .integer(1000...10_000_000)),
        .optional(
            "trustsInference",
            "whether an HTTP 503 without a body means that nothing was sent, as this library infers; default true",
            .flag),
    ]

    /// The features that neither API has, and what to do instead.
    package static func unsupported(_ vendor: String) -> [Feature: Support] {
        .unsupported([
            (.aliases, "\(vendor) has no aliases; keep them beside the tokens of your devices"),
            (.accounts, "\(vendor) has no accounts; keep them beside the tokens of your devices"),
            (.attributes, "\(vendor) has no attributes of devices"),
            (.phones, "\(vendor) sends no text messages"),
            (.schedules, "\(vendor) sends at once; schedule in your backend"),
            ([.readDeliveries], "\(vendor) reports deliveries by callback; receive them with HuaweiReceipts"),
            ([.audienceEveryone], "\(vendor) cannot send to everyone"),
            ([.audienceSegment, .audienceFile], "\(vendor) takes lists of tokens"),
            ([.audienceLiveActivity], "\(vendor) takes the tokens of the devices that show a live view"),
        ])
    }

    /// A path segment of an id; refuses with `misconfigured` an id that does not fit into an address.
    package static func check(_ id: String, named name: String) throws(PushError) {
        guard (1...128).contains(id.utf8.count),
            id.utf8.allSatisfy({ AllowedCharacters.alphanumerics.utf8.contains($0) })
        else {
            throw PushError(
                .misconfigured,
                "\(name) is \(Redaction.quoted(id)); it has letters and digits: take it from the vendor's console")
        }
    }
}
