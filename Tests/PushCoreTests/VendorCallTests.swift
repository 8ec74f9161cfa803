import PushAdapter
import Testing

@Suite("What an adapter knows of a call that it diagnoses")
struct VendorCallTests {
    private static let cases: [(inputs: [Input], targets: [String])] = [
        ([.message(Message(notification: Notification(body: "B"))), .audience(.devices(["a", "b"]))], ["a", "b"]),
        ([.audience(.aliases(["ann"]))], ["ann"]), ([.audience(.tagged(anyOf: ["vip"]))], []),
        ([.audience(.everyone)], []), ([.tags(["vip"]), .devices(["a"])], ["a"]), ([.tags(["vip"])], []),
    ]

    @Test("the targets are those that the inputs list", arguments: cases.indices)
    func targets(index: Int) {
        let row = Self.cases[index]
        let exchange = Exchange<Void>(
            .send, WireRequest(.post, "s"), inputs: row.inputs, idempotency: .unkeyed
        ) { (_) throws(PushError) in }
        #expect(exchange.call.targets == row.targets)
        #expect((exchange.call.message == nil) == (index != 0))
        #expect(exchange.call.operation == .send && exchange.call.request == exchange.request)
    }
}
