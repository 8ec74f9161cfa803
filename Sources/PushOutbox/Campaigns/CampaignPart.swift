public import FoundationEssentials
public import PushAdapter

/// A part of a campaign: who gets the message, through which route.
public struct CampaignPart: Sendable {
    typealias Source<Element> = @Sendable (_ add: (Element) async throws -> Void) async throws -> Void

    enum Content: Sendable {
        case audience(Audience)
        case devices(Source<DeviceID>)
        case routed(Source<RoutedTarget>, patience: Duration)
    }

    /// The names of the clients that send it: one, unless each target has a route of its own.
    public let routes: [RouteName]
    /// Nothing is sent before this moment; nil for at once. A part for each time zone sends at nine in the morning.
    public var notBefore: Date?
    let content: Content

    /// A list, or an audience that only the vendor can count, which is one request.
    public static func audience(_ audience: Audience, at route: RouteName, notBefore: Date? = nil) -> CampaignPart {
        CampaignPart(routes: [route], notBefore: notBefore, content: .audience(audience))
    }

    /// A stream of devices, read once while the campaign is enqueued, as fast as the store writes.
    public static func devices<Source: AsyncSequence & Sendable>(
        _ devices: Source, at route: RouteName, notBefore: Date? = nil
    ) -> CampaignPart where Source.Element == DeviceID {
        CampaignPart(
            routes: [route], notBefore: notBefore,
            content: .devices { add in for try await device in devices { try await add(device) } })
    }

    /// A stream of targets with a route each, as a router plans them, read as one of devices is. In the campaign, it is a part for
    /// each route, and another for each that takes what others refused.
    ///
    /// If a vendor certainly did not take a message, because it says that the target is gone, refuses the message, cannot be
    /// reached or has no quota left, the message takes the target's second way, if there is one. What may have been sent never
    /// does, and what a wrong key refuses waits for a person.
    /// - Parameters:
    ///   - targets: each installation once.
    ///   - routes: all routes that they name.
    ///   - patience: a throttled vendor that says that it is for longer than this is not waited for.
    ///   - notBefore: nothing is sent before; nil for at once.
    public static func routed<Source: AsyncSequence & Sendable>(
        _ targets: Source, over routes: [RouteName], patience: Duration, notBefore: Date? = nil
    ) -> CampaignPart where Source.Element == RoutedTarget {
        CampaignPart(
            routes: routes, notBefore: notBefore,
            content: .routed({ add in for try await target in targets { try await add(target) } }, patience: patience))
    }

    /// The audience that is stored: nil for a list, whose targets are in its slices.
    var audience: Audience? {
        if case .audience(let audience) = content, audience.targets == nil { audience } else { nil }
    }

    var features: [Feature] {
        if case .audience(let audience) = content { audience.features } else { [.audienceDevices] }
    }

    /// How many parts of a campaign it is.
    var partCount: Int { if case .routed = content { routes.count * 2 } else { 1 } }

    /// Its parts of a campaign, from this number on: one for each route, and where targets have two ways, then one for each
    /// that takes what others refused.
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
