public import PushAdapter

extension Feature {
    static let webPushRecall: Feature = "webpush.messages.delete"
}

extension WebPush {
    /// `DELETE` on the address of a message: takes back one that the service still stores. Only Mozilla's service has
    /// it. A message that was delivered or never stored is refused with `noTarget`.
    ///
    /// Refuses with `invalidArgument` an id that is no address, as it is without ``keepsLocations``.
    public func recall(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        guard message.rawValue.contains("://") else {
            throw PushError(
                .invalidArgument, "the message id is no address; set keepsLocations before you send",
                operation: .webPushRecall)
        }
        var request = WireRequest(.delete, .webPush)
        request.address = try passing(place(of: message.rawValue).address)
        return Exchange(.webPushRecall, request, credential: .none, idempotency: .idempotent) { _ in }
    }
}
