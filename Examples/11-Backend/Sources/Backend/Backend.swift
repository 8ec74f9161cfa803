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
            let outcome = try await client.replaceTags(with: tags, of: device)
            // Throws only if nothing was changed. If the vendor lacks this call, the client makes several requests.
            return Tagged(
                added: outcome.added, removed: outcome.removed, isComplete: outcome.isComplete)
        }
        router.post("orders/:order/shipped") { request, context in
            let order = try context.parameters.require("order")
            let devices = try await request.decode(as: [DeviceID].self, context: context)
            let message = Message(notification: Notification(title: "Shop", body: "Order \(order) is on its way"))
            let report = try await send(message, to: devices)
            return Shipped(
                accepted: report.acceptedCount ?? 0, invalid: report.invalidTargets.map(\.text),
                malformed: report.exceptions.filter(\.status.isMalformed).map(\.target.text),
                toRetry: report.retryable().map(\.text),
                unknown: report.exceptions.filter { $0.status == .unknown }.map(\.target.text))
        }
        return router
    }

    private func send(_ message: Message, to devices: [DeviceID]) async throws(PushError) -> SendReport {
        // A long list would wait for rate limits for up to 15 minutes, which no HTTP client does.
        var options = SendOptions()
        options.deadline = .seconds(20)
        do throws(PushError) {
            return try await client.send(message, to: .devices(devices), options: options)
        } catch {
            // JPush refuses a whole request because of one unknown id. The report names it, and the others are to retry.
            guard let report = error.report, !report.invalidTargets.isEmpty else { throw error }
            return report
        }
    }
}

/// The outcome of a change to a device's tags.
public struct Tagged: ResponseCodable {
    public var added: Set<Tag>
    public var removed: Set<Tag>
    public var isComplete: Bool
}

/// The outcome of a send: the number of accepted devices, the ids that the vendor does not know, the malformed ids, the
/// ids to retry, and the ids that may have received the push.
public struct Shipped: ResponseCodable {
    public var accepted: Int
    public var invalid: [String]
    public var malformed: [String]
    public var toRetry: [String]
    public var unknown: [String]
}
