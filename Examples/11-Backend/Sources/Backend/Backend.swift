public import Hummingbird
public import PushBridge

/// A shop that tags phones and tells customers that their order is on its way.
public struct Backend: Sendable {
    private let client: PushClient

    public init(_ client: PushClient) { self.client = client }

    public var router: Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: PushErrorMiddleware())
        router.put("devices/:device/tags") { request, context in
            let device = DeviceID(try context.parameters.require("device"))
            let tags = try await request.decode(as: Set<Tag>.self, context: context)
            _ = try await client.replaceTags(with: tags, of: device)
            return HTTPResponse.Status.noContent
        }
        router.post("orders/:order/shipped") { request, context in
            let order = try context.parameters.require("order")
            let devices = try await request.decode(as: [DeviceID].self, context: context)
            let message = Message(notification: Notification(title: "Shop", body: "Order \(order) is on its way"))
            let report = try await client.send(message, to: .devices(devices))
            return Shipped(accepted: report.acceptedCount ?? 0, toRemove: report.invalidTargets.map(\.text))
        }
        return router
    }
}

/// What the caller learns: how many devices the vendor accepted, and which ids to remove from the records.
public struct Shipped: ResponseCodable {
    public var accepted: Int
    public var toRemove: [String]
}
