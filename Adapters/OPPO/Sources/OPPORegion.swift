public import PushAdapter

extension OPPO {
    /// The two regions of the vendor, each with hosts of its own.
    public enum Region: String, Sendable, Hashable, CaseIterable {
        /// Phones in mainland China.
        case china
        /// Phones abroad.
        case international
    }

    /// The region of a registration id, which its parts between underscores name: China for one part, for two of which
    /// the first is `CN`, and for three of which the second is `CN`. Source: OPPO, return codes, 2024.
    public static func region(of device: DeviceID) -> Region {
        guard device.rawValue.utf8.contains(UInt8(ascii: "_")) else { return .china }
        let parts = device.rawValue.split(separator: "_", omittingEmptySubsequences: false)
        return (parts.count == 2 && parts[0] == "CN") || (parts.count == 3 && parts[1] == "CN")
            ? .china : .international
    }

    /// Whether a text has the form of a registration id: 24 hex digits, or a country before 32, perhaps after a brand.
    /// Source: the vendor's server SDK 1.0.4, 2019.
    static func isRegistrationID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Fa-f]{24}|([0-9A-Za-z]{2,10}_)?([A-Z]{2}|EUEX)_[0-9A-Fa-f]{32}/) != nil
    }

    /// A device of the other region, and a target with a character that separates targets. The vendor might refuse the
    /// whole list for it.
    func refusal(_ target: Target) -> PushError? {
        switch target {
        case .device(let device):
            guard !device.rawValue.contains(where: { $0 == "," || $0 == ";" }) else {
                return PushError(
                    .invalidArgument, "the registration id contains a comma or a semicolon, which separate ids at OPPO")
            }
            let other = Self.region(of: device)
            guard other != region else { return nil }
            return PushError(
                .invalidArgument,
                "the registration id is of the region \(other.rawValue), and this adapter sends to \(region.rawValue); "
                    + "send to it with an adapter of the data center \(other.rawValue)")
        case .alias(let alias):
            guard alias.rawValue.contains(";") else { return nil }
            return PushError(.invalidArgument, "the alias contains a semicolon, which separates aliases at OPPO")
        case .account: return PushError(.unsupported, "OPPO has no accounts; send to devices or aliases")
        }
    }
}
