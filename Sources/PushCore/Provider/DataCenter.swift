/// A place where a vendor hosts apps: a name, a region and one base address per family of the API.
public struct DataCenter: Sendable, Hashable {
    /// The name that callers choose it by, in any case.
    public var name: String
    /// Other names, for example the vendor's site name.
    public var aliases: [String]
    /// ISO country code of the location: `CN`, `SG`. Nil when the vendor does not say.
    public var region: String?
    /// Base addresses without a trailing slash. Families may differ in both host and path.
    public var services: [ServiceName: String]
    /// The families that speak HTTP/2 only.
    public var http2Services: Set<ServiceName> = []

    /// A data center with these base addresses, one for each family of the API that it serves.
    public init(_ name: String, aliases: [String] = [], region: String? = nil, services: [ServiceName: String]) {
        self.name = name
        self.aliases = aliases
        self.region = region
        self.services = services
    }

    /// The base address of a family. Refuses a family that the data center does not have, with `misconfigured`.
    public func address(of service: ServiceName) throws(PushError) -> String {
        guard let address = services[service] else {
            throw PushError(
                .misconfigured,
                "data center \(Redaction.quoted(name)) has no address for \"\(service)\"; it has "
                    + services.keys.sorted().map(\.rawValue).joined(separator: ", "))
        }
        return address
    }

    /// The same paths at another origin, such as `https://localhost:8443`: a simulator or your own gateway. Its region
    /// is unknown.
    public func moved(to origin: String) -> DataCenter {
        var center = self
        center.region = nil
        center.services = services.mapValues { address in
            let host = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
            return origin + host.drop { $0 != "/" }
        }
        return center
    }
}
