package import PushAdapter

// Capabilities in words, for tables.

extension Support {
    /// "emulated: 2 requests or more, not atomic".
    package var summary: String {
        switch self {
        case .native: "yes"
        case .emulated(let recipe):
            "emulated: \(recipe.requests) requests or more" + (recipe.isAtomic ? "" : ", not atomic")
                + (recipe.fidelity == .lossy ? ", lossy" : "")
        case .unsupported: "no"
        }
    }

    /// Whether the client can do it at all.
    package var isPossible: Bool { if case .unsupported = self { false } else { true } }
}

extension Limit {
    /// "40 bytes".
    package var summary: String {
        switch unit {
        case .count: "\(maximum)"
        case .utf8Bytes: "\(maximum) bytes"
        case .encodedBytes: "\(maximum) bytes when percent-encoded"
        case .characters: "\(maximum) characters"
        case .seconds where maximum == 86_400: "a day"
        case .seconds: maximum % 86_400 == 0 ? "\(maximum / 86_400) days" : "\(maximum) s"
        }
    }
}

extension Limit.Overflow {
    /// The treatment of values above the limit.
    package var summary: String {
        switch self {
        case .split: "several requests"
        case .reject: "refused"
        case .leaveToVendor: "left to the vendor"
        }
    }
}

extension Capabilities.AliasSharing {
    /// How many devices an alias is for.
    package var summary: String {
        switch self {
        case .one: "one device"
        case .several: "several devices"
        case .unstated: "not stated"
        }
    }
}
