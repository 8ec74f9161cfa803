import JPushSimulator
import Load
import PushAdapter
import PushClient
import PushJPush
import PushPhone
import PushSimulation

// Ten thousand phones at one simulator, and a hundred thousand messages: a hundred sends, each to a thousand phones.
// Prints the time, the processor time and the peak memory of phones, simulator and client together.

let phoneCount = 10_000
let sliceSize = 1_000
let sends = 100

let simulator = JPushSimulator(appKey: Sample.appKey, masterSecret: Sample.masterSecret)
var jpush = try JPush(
    appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret),
    dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
jpush.capabilities = jpush.capabilities.unmetered
let client = PushClient(jpush, transport: InProcessTransport(SimulatorHost(simulator)))

let start = Usage()
var phones: [VirtualPhone] = []
for number in 0..<phoneCount {
    let digits = String(number)
    let id = "190e35f7e0a" + String(repeating: "0", count: 8 - digits.count) + digits
    let phone = VirtualPhone(VirtualDevice(id, number.isMultiple(of: 2) ? .ios : .android), at: simulator)
    _ = try await phone.register()
    await phone.leaveApp()
    phones.append(phone)
}
let registered = Usage()
for number in 0..<sends {
    let first = number * sliceSize % phoneCount
    let ids = phones[first..<first + sliceSize].map { DeviceID($0.id) }
    var message = Message(notification: Notification(body: "Message \(number)"))
    message.platforms = [.ios, .android]
    _ = try await client.send(message, to: .devices(ids))
}
for phone in phones { await phone.reported() }
let end = Usage()
let shown = phones.reduce(0) { $0 + $1.state.center.count }
guard shown == sends * sliceSize else { fatalError("\(shown) notifications are shown, not \(sends * sliceSize)") }
func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
print(
    "\(phoneCount) phones registered in \(rounded(registered.elapsed - start.elapsed)) s; \(shown) messages shown in",
    "\(rounded(end.elapsed - registered.elapsed)) s, CPU \(rounded(end.cpu - registered.cpu)) s;",
    "peak memory of all \(end.peakKB / 1024) MiB")
await client.shutdown()
