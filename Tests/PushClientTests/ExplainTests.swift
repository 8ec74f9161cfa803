import FoundationEssentials
import PushAdapter
import PushClient
import PushMemory
import PushSimulation
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
        #expect(
            explanation.leftOut.map(\.report.status) == [.duplicate(of: 0), .malformed(reason: "a device id is empty")])
        #expect(explanation.leftOut.map(\.reason) == ["it repeats position 0", "a device id is empty"])
        #expect(explanation.refusals.isEmpty)
        #expect(transport.requests.isEmpty)
    }

    @Test("an explanation prints and dumps no device id and no address")
    func secrecy() {
        let id = "190e35f7e0"
        let client = makeClient(ScriptedTransport(.ok))
        for explanation in [
            client.explain(message, to: .devices([DeviceID(id), DeviceID(id), DeviceID(id + " ")])),
            client.explain(.updateTags(.add(["a"])), of: DeviceID(id)),
        ] {
            var dumped = ""
            dump(explanation, to: &dumped)
            for out in explanation.leftOut { dump(out, to: &dumped) }
            for step in explanation.steps { dump(step, to: &dumped) }
            #expect(!explanation.steps.isEmpty && !"\(explanation) \(dumped)".contains(id))
        }
    }

    @Test("a field that the vendor ignores is a remark, and so is what makers show of a class")
    func remarks() {
        var acme = Acme()
        let shown = Message(notification: Notification(body: "B"), messageClass: MessageClass(.marketing, .promotion))
        let refused = makeClient(ScriptedTransport(.ok), for: acme).explain(shown, to: .devices(["a"]))
        #expect(refused.refusals.first?.message.contains("field class:") == true && refused.remarks.isEmpty)
        acme.capabilities.ignoreClasses("it has no classes")
        acme.capabilities.classQuotas = ClassQuota.of([.huawei])
        let explanation = makeClient(ScriptedTransport(.ok), for: acme).explain(shown, to: .devices(["a"]))
        #expect(explanation.refusals.isEmpty && explanation.steps.count == 1)
        #expect(explanation.remarks.first == "acme ignores the message field class: it has no classes")
        #expect(explanation.remarks.last?.hasSuffix("huawei 2") == true && explanation.remarks.count == 2)
    }

    @Test("what would be refused is shown as it would be refused")
    func refusals() {
        let client = makeClient(ScriptedTransport(.ok))
        #expect(client.explain(message, to: .segment("s")).refusals.map(\.kind) == [.unsupported])
        #expect(client.explain(Message(), to: .everyone).refusals.map(\.kind) == [.invalidArgument])
        #expect(client.explain(.updateTags(.add(["a b"])), of: "d").refusals.map(\.kind) == [.invalidArgument])
        #expect(client.explain(.updateTags(.add(["a b"])), of: "d").steps.isEmpty)
    }

    @Test("changes of tags are shown as they would be sent")
    func tags() {
        let client = makeClient(ScriptedTransport(.ok))
        #expect(client.explain(.updateTags(.add(["a", "b", "c"])), of: "d").steps.count == 2)
        let replacement = client.explain(.updateTags(.replace(["a"])), of: "d")
        #expect(replacement.steps.map(\.operation) == [.readTags])
        #expect(replacement.rule?.contains("separate requests") == true)
        #expect(client.explain(Acme().call(.idempotent)).cost == ["calls": 1])
    }

    @Test("requests that differ in their targets only are one step, whatever their number")
    func counted() {
        var acme = Acme()
        acme.capabilities.limits[.devicesPerSend] = Limit(1, .count, .split, source: "test")
        let client = makeClient(ScriptedTransport(.ok), for: acme)
        let explanation = client.explain(message, to: .devices((0..<20_000).map { DeviceID("d\($0)") }))
        #expect(explanation.steps.map(\.count) == [20_000] && explanation.steps.map(\.targetCount) == [1])
        #expect(explanation.requestCount == 20_000 && explanation.cost == ["calls": 20_000])
        #expect(acme.sendRequests.withLock { $0 } == 1)
        #expect(explanation.steps.first.map { "\($0)" } == "20000 × send: POST api/send (4 bytes)")
    }

    private static let devices: [DeviceOperation] = [
        .readTags, .testTag("a"), .updateTags(.add(["a"])), .updateTags(.clear), .readAlias, .setAlias("a"),
        .removeAlias, .readPhone, .setPhone("13800000000"), .removePhone, .readAccounts,
        .updateAccounts(.replace([Account(name: "a")])), .readAttributes, .updateAttributes(.add(["a": "b"])),
    ]

    @Test("every call about a device is shown as it is made", arguments: devices)
    func device(operation: DeviceOperation) async throws {
        let vendor = MemoryVendor(key: Secret("test"), devices: [VirtualDevice("phone-1", .ios)])
        let host = SimulatorHost(vendor)
        let client = PushClient(MemoryProvider(key: Secret("test")), transport: InProcessTransport(host))
        let explanation = client.explain(operation, of: "phone-1")
        #expect(explanation.refusals.isEmpty && host.journal.count == 0)
        _ = try await client.perform(operation, of: "phone-1")
        #expect(explanation.requestCount == host.journal.count)
        #expect(explanation.steps.map(\.request.method) == host.journal.entries.map(\.request.method))
        #expect(client.explain(operation, of: "").refusals.map(\.kind) == [.invalidArgument])
        await client.shutdown()
    }

    @Test("every call about the app is shown as it is made")
    func app() async throws {
        let host = SimulatorHost(MemoryVendor(key: Secret("test"), devices: [VirtualDevice("phone-1", .ios)]))
        let client = PushClient(MemoryProvider(key: Secret("test")), transport: InProcessTransport(host))
        let tomorrow = client.configuration.clock.date.addingTimeInterval(86_400)
        let schedule = Schedule(name: "n", trigger: .once(tomorrow), message: message, audience: .everyone)
        let shown: [(AppOperation, [Feature])] = [
            (.validate(message, to: .everyone), [.validate]), (.createSchedule(schedule), [.createSchedule]),
            (.readSchedule("1"), [.readSchedule]), (.listSchedules(page: 1), [.listSchedules]),
            (.removeSchedule("1"), [.removeSchedule]),
            (.readDeliveries((0..<11).map { MessageID("\($0)") }), [.readDeliveries, .readDeliveries]),
            (.readAliasDevices("a"), [.readAliasDevices]), (.deleteAlias("a"), [.deleteAlias]),
            (.readAccountDevices(Account(name: "a")), [.readAccountDevices]),
        ]
        for (operation, features) in shown {
            let explanation = client.explain(operation)
            #expect(explanation.refusals.isEmpty && explanation.steps.map(\.operation) == features)
            #expect(!explanation.steps.contains { $0.url.isEmpty })
        }
        let refused: [AppOperation] = [
            .validate(Message(), to: .everyone), .readSchedule(""), .listSchedules(page: 0), .readDeliveries([]),
            .deleteAlias(""),
            .createSchedule(Schedule(name: "", trigger: .once(tomorrow), message: message, audience: .everyone)),
        ]
        for operation in refused { #expect(client.explain(operation).refusals.map(\.kind) == [.invalidArgument]) }
        #expect(host.journal.count == 0)
        await client.shutdown()
    }
}
