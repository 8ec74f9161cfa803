// Sends to 20,000 devices one by one over TLS on this machine, to a simulator of FCM that answers after 50 ms, and
// prints how long it took, beside the least that the window allows. The simulator runs in the same process, so the
// memory is that of both.

import FCMSimulator
import Load
import PushAdapter
import PushClient
import PushCurl
import PushFCM
import PushSimulation
import PushSimulationServer

let (count, delay) = (20_000, Duration.milliseconds(50))
let ids = (0..<count).map { "dEvIcE\(10_000 + $0):APA91b\(String(repeating: "x", count: 134))" }
let (account, keyFile) = try FCMServiceAccount.generate(in: "bench")
let project = FCMProject(id: "bench", number: "1", devices: ids.map { VirtualDevice($0, .android) })
let simulator = FCMSimulator(projects: [project], accounts: [account])
let host = SimulatorHost(simulator)

try await SimulationServer.withServer(host) { server in
    for window in [64, 100] {
        host.faults.removeAll()
        host.faults.add(.actedThenLate(delay), times: count, path: "messages:send")
        var curl = CurlConfiguration()
        curl.caFile = server.caFile
        curl.maxInFlight = window
        let fcm = try FCM(
            ServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
            dataCenter: FCM.dataCenters.standard.moved(to: server.origin))
        let client = PushClient(fcm, transport: try CurlTransport(curl))
        let message = Message(notification: Notification(body: "x"))
        let start = Usage()
        let report = try await client.send(message, to: .devices(ids.map { DeviceID($0) }))
        let end = Usage()
        let took = end.elapsed - start.elapsed
        let ideal = Double(count) / Double(window) * (delay / .seconds(1))
        func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
        print(
            "window \(window): \(report.acceptedCount ?? 0) of \(count) accepted in \(rounded(took)) s,",
            "\(rounded(took / ideal)) x the least possible; CPU of both \(rounded(end.cpu - start.cpu)) s,",
            "peak memory of both \(end.peakKB / 1024) MiB")
        await client.shutdown()
    }
}
