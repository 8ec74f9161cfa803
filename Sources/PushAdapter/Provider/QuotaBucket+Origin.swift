extension QuotaBucket {
    /// The quota of the requests to an address's origin, for a vendor without quotas of its own: each origin throttles
    /// for itself. Its name has the origin, and nothing of the path.
    public static func origin(of address: TargetAddress) -> QuotaBucket {
        QuotaBucket(rawValue: "origin \(address.origin)")
    }
}
