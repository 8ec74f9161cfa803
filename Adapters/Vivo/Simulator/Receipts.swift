import PushAdapter
import PushSimulation

/// The receipts that a message asks for.
struct ReceiptOrder: Sendable {
    private static let keys: Set<String> = ["callback", "callback.param", "callback.id"]

    let url: String
    let parameter: String

    /// Nil for a message that asks for none, or for the newer receipts, whose form no document shows.
    init?(_ value: JSONValue?, _ settings: VivoSimulatorSettings) throws(Refusal) {
        guard let value else { return nil }
        guard case .object(let object) = value, Self.keys.isSuperset(of: object.keys) else { throw .code("extra") }
        let extra = Fields(object, .byField)
        let (url, parameter) = (try extra.text("callback") ?? "", try extra.text("callback.param") ?? "")
        guard url.count <= 128 else { throw .code("callback") }
        guard parameter.count <= settings.callbackParamLength else { throw .code("callback.param") }
        guard !url.isEmpty, try extra.text("callback.id") == nil else { return nil }
        (self.url, self.parameter) = (url, parameter)
    }
}
