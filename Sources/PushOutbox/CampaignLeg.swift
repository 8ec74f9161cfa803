public import FoundationEssentials
public import PushCore

/// A part of a campaign: who gets the message, through which route.
public struct CampaignLeg: Sendable {
    typealias Source = @Sendable (_ add: (Target) async throws -> Void) async throws -> Void

    enum Content: Sendable {
        case audience(Audience)
        case devices(Source)
    }

    /// The name of the client that sends it.
    public let route: RouteName
    /// Nothing is sent before this moment; nil for at once. A leg for each time zone sends at nine in the morning.
    public var notBefore: Date?
    let content: Content

    /// A list, or an audience that only the vendor can count, which is one request.
    public static func audience(_ audience: Audience, at route: RouteName, notBefore: Date? = nil) -> CampaignLeg {
        CampaignLeg(route: route, notBefore: notBefore, content: .audience(audience))
    }

    /// A stream of devices, read once while the campaign is enqueued, as fast as the store writes.
    public static func devices<Source: AsyncSequence & Sendable>(
        _ devices: Source, at route: RouteName, notBefore: Date? = nil
    ) -> CampaignLeg where Source.Element == DeviceID {
        CampaignLeg(
            route: route, notBefore: notBefore,
            content: .devices { add in for try await device in devices { try await add(.device(device)) } })
    }

    /// The audience that is stored: nil for a list, whose targets are in its slices.
    var audience: Audience? {
        if case .audience(let audience) = content, audience.targets == nil { audience } else { nil }
    }

    var features: [Feature] {
        if case .audience(let audience) = content { audience.features } else { [.audienceDevices] }
    }
}
