import Glibc
import Load
import PushAdapter
import PushClient

// Sends to a file of device ids, one to a line, and prints what it used.
// Usage: bench-million FILE [jpush|fcm|apns [ORIGIN CA-FILE]]
// With an origin, over HTTP/2 to a server that accepts every push; otherwise, to a vendor in memory. Where each id has
// a request of its own, the report keeps no message ids.
let texts = Array(CommandLine.arguments.dropFirst())
guard [1, 2, 4].contains(texts.count), let vendor = Vendor(rawValue: texts.count > 1 ? texts[1] : "jpush"),
    texts.count < 4 || vendor == .apns
else {
    print("usage: bench-million FILE [jpush|fcm|apns [ORIGIN CA-FILE]]")
    exit(2)
}
let server = texts.count == 4 ? Vendor.Server(origin: texts[2], caFile: texts[3]) : nil
let (client, message) = try vendor.sender(to: server)
var options = SendOptions()
options.keepsMessageIDs = !vendor.isSingle

let start = Usage()
let report = try await client.send(message, toDevices: DeviceFile(path: texts[0]), options: options)
let end = Usage()
await client.shutdown()
try Measure(requests: report.acceptedCount ?? 0, from: start, to: end).report()
