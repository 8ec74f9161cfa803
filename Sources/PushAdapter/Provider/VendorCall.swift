/// A call as an adapter sees it again with the vendor's response: an exchange without `decode`.
public struct VendorCall: Sendable {
    /// The feature that the call uses.
    public let operation: Feature
    /// The request that was sent.
    public let request: WireRequest
    /// The inputs of the exchange.
    public let inputs: [Input]

    /// A call with these inputs, for a test of an adapter's diagnosis; ``Exchange/call`` is that of an exchange.
    public init(_ operation: Feature, _ request: WireRequest, inputs: [Input] = []) {
        self.operation = operation
        self.request = request
        self.inputs = inputs
    }

    /// The targets that the request lists, by their texts: those of its audience, or its devices. Empty if only the
    /// vendor knows them, as for a tag.
    public var targets: [String] {
        inputs.flatMap { input -> [String] in
            switch input {
            case .audience(let audience): audience.targets?.map(\.text) ?? []
            case .devices(let devices): devices.map(\.rawValue)
            default: []
            }
        }
    }

    /// The message that the request has; nil for a call that sends none.
    public var message: Message? {
        inputs.lazy.compactMap { input in if case .message(let message) = input { message } else { nil } }.first
    }
}

extension Exchange {
    /// The part of the exchange that the adapter gets for its diagnosis of the response.
    public var call: VendorCall { VendorCall(operation, request, inputs: inputs) }
}
