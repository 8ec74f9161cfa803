import PushClient
import PushCore
import Testing

@Suite("Explanations")
struct ExplainTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    @Test("a send is shown with its slices, keys and cost, and nothing is sent")
    func send() {
        var acme = Acme()
        acme.mintsKeys = true
        let transport = ScriptedTransport(.ok)
        let explanation = makeClient(transport, for: acme).explain(
            message, to: .devices(["a", "b", "c", "d", "a", ""]))
        #expect(explanation.steps.map(\.operation) == [.mintKeys, .send, .send])
        #expect(explanation.steps.map(\.targetCount) == [0, 3, 1])
        #expect(explanation.steps[1].url == "https://acme.example/send")
        #expect(explanation.cost == ["calls": 2])
        #expect(explanation.leftOut.map(\.report.status) == [.duplicate(of: 0), .invalid])
        #expect(explanation.leftOut.map(\.reason) == ["it is at position 0 already", "a device id is empty"])
        #expect(explanation.refusals.isEmpty)
        #expect(transport.requests.isEmpty)
    }

    @Test("an explanation prints and dumps no device id and no address")
    func secrecy() {
        let id = "190e35f7e0"
        let client = makeClient(ScriptedTransport(.ok))
        for explanation in [
            client.explain(message, to: .devices([DeviceID(id), DeviceID(id), DeviceID(id + " ")])),
            client.explain(.add(["a"]), of: DeviceID(id)),
        ] {
            var dumped = ""
            dump(explanation, to: &dumped)
            for out in explanation.leftOut { dump(out, to: &dumped) }
            for step in explanation.steps { dump(step, to: &dumped) }
            #expect(!explanation.steps.isEmpty && !"\(explanation) \(dumped)".contains(id))
        }
    }

    @Test("what would be refused is shown as it would be refused")
    func refusals() {
        let client = makeClient(ScriptedTransport(.ok))
        #expect(client.explain(message, to: .segment("s")).refusals.map(\.kind) == [.unsupported])
        #expect(client.explain(Message(), to: .everyone).refusals.map(\.kind) == [.invalidArgument])
        #expect(client.explain(.add(["a b"]), of: "d").refusals.map(\.kind) == [.invalidArgument])
        #expect(client.explain(.add(["a b"]), of: "d").steps.isEmpty)
    }

    @Test("changes of tags are shown as they would be sent")
    func tags() {
        let client = makeClient(ScriptedTransport(.ok))
        #expect(client.explain(.add(["a", "b", "c"]), of: "d").steps.count == 2)
        let replacement = client.explain(.replace(["a"]), of: "d")
        #expect(replacement.steps.map(\.operation) == [.readTags])
        #expect(replacement.steps.first?.note?.contains("separate requests") == true)
        #expect(client.explain(Acme().call(.idempotent)).cost == ["calls": 1])
    }
}
