import FoundationEssentials
import PushAdapter
import PushOPPO
import PushVivo
import PushWebhooks
import PushXiaomi

/// A maker's receipts, which repeat the secret parameter of a callback.
private struct Receipts {
    /// The parameter that the receiver wants.
    static let parameter = "51c3e7cret51c3e7cret0000"
    static let address = Secret("https://push.example.com/r")

    let name: String
    let receiver: any WebhookReceiver
    /// The JSON of two receipts that repeat a parameter.
    let json: (_ parameter: String) -> String
    /// A request with this JSON.
    var body: ([UInt8]) -> [UInt8] = { $0 }
    /// Whether a receipt of this kind may call a device gone.
    let isOfDeath: (WebhookEvent) -> Bool

    /// Broken JSON in a whole request, broken requests, and receipts that repeat another parameter.
    var readers: [Fuzz.Reader] {
        let good = json(Self.parameter)
        return [
            Fuzz.Reader(name: "\(name) receipts", seeds: Fuzz.seeds(good)) { try await receive(body($0)) },
            Fuzz.Reader(name: "\(name) requests", seeds: [body(Array(good.utf8))]) { try await receive($0) },
            Fuzz.Reader(name: "\(name) forgeries", seeds: Fuzz.seeds(json("51c3e7cret51c3e7cret0001"))) {
                try await receive(body($0))
            },
        ]
    }

    private func receive(_ bytes: [UInt8]) async throws {
        let events = try await receiver.receive(WebhookCall(headers: [:], body: bytes), at: Date()).events
        // The receiver keeps the parameter to itself. Each receipt of the body has to repeat it.
        guard events.allSatisfy({ $0.fields["param"] == nil }) else {
            throw Fuzz.Breach(what: "an event shows the parameter")
        }
        let repeated = String(decoding: bytes, as: UTF8.self).ranges(of: Self.parameter).count
        guard Set(events.map(\.message)).count <= repeated else {
            throw Fuzz.Breach(what: "a receipt without the parameter was taken")
        }
        guard events.allSatisfy({ $0.verdict == nil || isOfDeath($0) }) else {
            throw Fuzz.Breach(what: "a receipt of another kind called a device gone")
        }
    }
}

extension Fuzz {
    static var makerReceipts: [Reader] { [xiaomi, vivo, oppo].flatMap { $0?.readers ?? [] } }

    private static let targets = "\(Unit.make(4)),\(Unit.make(5))"

    private static var xiaomi: Receipts? {
        guard let callback = try? XiaomiCallback(Receipts.address, parameter: Secret(Receipts.parameter))
        else { return nil }
        return Receipts(
            name: "xiaomi", receiver: XiaomiReceipts(callback),
            json: { parameter in
                #"{"Xcm1":{"param":"\#(parameter)","type":16,"targets":"\#(targets)","jobkey":"k","#
                    + #""barStatus":"Enable","timestamp":1795132801500,"extra":{}},"Xcm2":{"param":"\#(parameter)","#
                    + #""type":"128","timestamp":"1795132801500","extra":{"ack":"9","quota":"9"}}}"#
            },
            body: { Array("a=1&data=\(PercentEncoding.encode(String(decoding: $0, as: UTF8.self)))".utf8) },
            isOfDeath: { $0.fields["type"]?.identifier.flatMap { Int($0) } == 16 })
    }

    private static var vivo: Receipts? {
        guard let callback = try? VivoCallback(Receipts.address, parameter: Secret(Receipts.parameter))
        else { return nil }
        return Receipts(
            name: "vivo", receiver: VivoReceipts(callback),
            json: { parameter in
                #"{"1042":{"param":"\#(parameter)","targets":"\#(targets)"},"1043":{"param":"\#(parameter)"}}"#
            }, isOfDeath: { _ in false })
    }

    private static var oppo: Receipts? {
        guard let callback = try? OPPOCallback(Receipts.address, parameter: Secret(Receipts.parameter))
        else { return nil }
        return Receipts(
            name: "oppo", receiver: OPPOReceipts(callback),
            json: { parameter in
                #"[{"messageId":"1","eventType":"regid_invalid","registrationIds":"\#(targets)","param":"#
                    + #""\#(parameter)","eventTime":"1795132801500"},{"messageId":2,"eventType":"push_arrive","#
                    + #""param":"\#(parameter)","eventTime":1795132801500}]"#
            }, isOfDeath: { $0.fields["eventType"] == "regid_invalid" })
    }
}
