public import FoundationEssentials
public import PushAdapter

/// A part of a campaign: recipients, and the route to them.
public struct CampaignPart: Sendable {
    typealias Source<Element> = @Sendable (_ add: (Element) async throws -> Void) async throws -> Void

    enum Content: Sendable {
        case audience(Audience)
        case devices(Source<DeviceID>)
        case routed(Source<RoutedTarget>, patience: Duration)
    }

    /// The names of the clients that send it: one, unless each target has a route of its own.
    public let routes: [RouteName]
    /// Workers send nothing before this moment; nil for at once. To send at nine in the morning everywhere, make a part
    /// for each time zone.
    public var notBefore: Date?
    let content: Content

    /// A list of targets, or an audience that only the vendor can count, which takes one request.
    public static func audience(_ audience: Audience, at route: RouteName, notBefore: Date? = nil) -> CampaignPart {
        CampaignPart(routes: [route], notBefore: notBefore, content: .audience(audience))
    }

    /// A stream of devices. `enqueue` reads it once, as fast as the store writes.
    public static func devices<Source: AsyncSequence & Sendable>(
        _ devices: Source, at route: RouteName, notBefore: Date? = nil
    ) -> CampaignPart where Source.Element == DeviceID {
        CampaignPart(
            routes: [route], notBefore: notBefore,
            content: .devices { add in for try await device in devices { try await add(device) } })
    }

    /// A stream of targets with a route each, as a router plans them. `enqueue` reads it once, as fast as the store
    /// writes. The campaign gets a part for each route, and another for each route that takes over targets.
    ///
    /// A message takes the target's second route if the first vendor certainly did not take it. The vendor may say that
    /// the target is gone, refuse the message, be unreachable, or have no quota left. A message that may have been sent
    /// never moves. A message that the vendor refused because of wrong credentials waits for a person.
    /// - Parameters:
    ///   - targets: each installation once.
    ///   - routes: all routes of the targets.
    ///   - patience: how long to wait for a throttled vendor. If the vendor asks for more, the target takes its second
    ///     route.
    ///   - notBefore: workers send nothing before this moment; nil for at once.
    public static func routed<Source: AsyncSequence & Sendable>(
        _ targets: Source, over routes: [RouteName], patience: Duration, notBefore: Date? = nil
    ) -> CampaignPart where Source.Element == RoutedTarget {
        CampaignPart(
            routes: routes, notBefore: notBefore,
            content: .routed({ add in for try await target in targets { try await add(target) } }, patience: patience))
    }

    /// The stored audience; nil for a list, because its targets are in the slices.
    var audience: Audience? {
        if case .audience(let audience) = content, audience.targets == nil { audience } else { nil }
    }

    var features: [Feature] {
        if case .audience(let audience) = content { audience.features } else { [.audienceDevices] }
    }

    /// The number of campaign parts that it becomes.
    var partCount: Int { if case .routed = content { routes.count * 2 } else { 1 } }

    /// The campaign parts that it becomes, numbered from this number on: one for each route. If targets have second
    /// routes, another one follows for each route, for the targets that it takes over.
    func rows(from number: Int) throws -> [Campaign.Part] {
        let audience = try audience.map(StoredJSON.write)
        func rows(from number: Int, patience: Duration?) -> [Campaign.Part] {
            routes.enumerated().map { index, route in
                Campaign.Part(
                    number: number + index, route: route, audience: audience, notBefore: notBefore ?? .distantPast,
                    patience: patience)
            }
        }
        guard case .routed(_, let patience) = content else { return rows(from: number, patience: nil) }
        return rows(from: number, patience: patience) + rows(from: number + routes.count, patience: nil)
    }
}
