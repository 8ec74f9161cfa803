// Runs code for JPush's device SDK, whose calls take a completion and a sequence number, on TPNS.
//
// The SDK's rules stay the same: its allowed characters, its lengths, one tag request at a time, its result codes. If
// TPNS has no call for something, the client emulates it where its settings consent, or refuses it before sending.

import FoundationEssentials
import Glibc
import PushBridge
import PushDevice
import PushSimulation
import PushSimulationServer
import PushStyles
import PushTPNS
import TPNSSimulator

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let accessID: UInt32 = 1_600_999_001
let secret = "simulator0simulator0only"
let phone = VirtualDevice("0123456789abcdef0123456789abcdef0001", .ios)
let simulator = TPNSSimulator(apps: [
    TPNSApp(accessID: accessID, secretKey: secret, platform: .ios, devices: [phone])
])

let host = SimulatorHost(simulator)

try await SimulationServer.withServer(host) { server in
    var curl = CurlConfiguration()
    curl.caFile = server.caFile
    var configuration = ClientConfiguration()
    // TPNS cannot list tags and has no aliases. A ledger remembers what TPNS confirmed, and an account of type 1 stands
    // for the alias.
    configuration.ledger = MemoryLedger()
    configuration.acceptedLosses = [.setAlias]
    let client = PushClient(
        try TPNS(
            accessID: accessID, secretKey: Secret(secret), platform: .ios,
            dataCenter: TPNS.dataCenter(at: server.origin), aliasAccountType: 1),
        transport: try CurlTransport(curl), configuration: configuration)
    let session = DeviceSession(client, device: DeviceID(phone.id), rules: .jpush)
    let service = SequencedPushService(session, queue: SequencedPushService.privateQueue())

    // Each completion prints its arguments and keeps the code for the final check.
    let (answers, continuation) = AsyncStream.makeStream(of: Int.self)
    func printing(_ call: String) -> JPUSHTagsOperationCompletion {
        { code, tags, seq in
            print("\(call): code \(code), tags \(tags?.sorted() ?? []), seq \(seq)")
            continuation.yield(code)
        }
    }
    var iterator = answers.makeAsyncIterator()
    var codes: [Int] = []

    service.addTags(["member", "women"], completion: printing("addTags"), seq: 1)
    if let code = await iterator.next() { codes.append(code) }
    service.addTags([], completion: printing("addTags, none"), seq: 2)
    if let code = await iterator.next() { codes.append(code) }
    service.addTags(["old page"], completion: printing("addTags, with a blank"), seq: 3)
    if let code = await iterator.next() { codes.append(code) }

    // Two at once: the second is refused with 6021, and does not wait for the first, whose answer takes five seconds.
    host.faults.add(.actedThenLate(.seconds(5)))
    service.deleteTags(["women"], completion: printing("deleteTags"), seq: 4)
    service.addTags(["game"], completion: printing("addTags, meanwhile"), seq: 5)
    for _ in 0..<2 { if let code = await iterator.next() { codes.append(code) } }

    service.getAllTags(printing("getAllTags"), seq: 6)
    if let code = await iterator.next() { codes.append(code) }
    service.setAlias(
        "ann",
        completion: { code, alias, seq in
            print("setAlias: code \(code), alias \(alias ?? "none"), seq \(seq)")
            continuation.yield(code)
        }, seq: 6)
    if let code = await iterator.next() { codes.append(code) }
    // TPNS needs a country code, and no setting here allows phone numbers as accounts.
    service.setMobileNumber("138-0000-0000") { error in
        print("setMobileNumber:", error.map { "code \($0.code): \($0.error.message)" } ?? "done")
        continuation.yield(error?.code ?? ResultCodes.success)
    }
    if let code = await iterator.next() { codes.append(code) }
    await client.shutdown()
    service.addTags(["late"], completion: printing("addTags, after the end"), seq: .max)
    if let code = await iterator.next() { codes.append(code) }

    guard codes == [0, 6001, 6005, 6021, 0, 0, 0, ResultCodes.unsupported, 6012] else { fail("the codes are \(codes)") }
    // TPNS binds accounts some time after it responds.
    await simulator.settle(at: Date().addingTimeInterval(60))
    let kept = await simulator.snapshot(of: phone.id)
    guard kept?.tags == ["member"], kept?.accounts == [Account(name: "ann", type: 1)] else {
        fail("TPNS should have one tag and the account, not \(String(describing: kept))")
    }
}
