// Moves a backend from one vendor to the next by changing one word in its settings.
//
// The backend is in Backend.swift. This file plays the operator: it starts a simulator of each vendor, writes the
// settings with a section for each, and runs the backend once for each, each time with another `vendor` in the file.

import EngageLabSimulator
import FCMSimulator
import FoundationEssentials
import Glibc
import HuaweiSimulator
import JPushSimulator
import PushAdapter
import PushBridge
import PushSimulation
import PushSimulationServer
import TPNSSimulator

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let key = "0123456789abcdef01234567"
let secret = "simulator0simulator0only"
let records: [ProviderID: DeviceID] = [
    "jpush": "190e35f7e0a1b2c3d4e", "engagelab": "171976fa8a00000a001",
    "tpns": "0123456789abcdef0123456789abcdef0001", "fcm": "dEvIcE00001:APA91bExampleOfARegistrationToken",
    "huawei": "IQAAAACy0k1tExampleOfAPushToken",
]
func phone(_ vendor: ProviderID) -> [VirtualDevice] { [VirtualDevice(records[vendor]?.rawValue ?? "", .android)] }
let (account, keyFile) = try FCMServiceAccount.generate(in: "shop")
let simulators: [(vendor: ProviderID, simulator: any ObservableSimulator)] = [
    ("jpush", JPushSimulator(appKey: key, masterSecret: secret, devices: phone("jpush"))),
    (
        "tpns",
        TPNSSimulator(apps: [
            TPNSApp(accessID: 1_500_999_001, secretKey: secret, platform: .android, devices: phone("tpns"))
        ])
    ),
    ("engagelab", EngageLabSimulator(.init(key: key, masterSecret: secret, devices: phone("engagelab")))),
    (
        "fcm",
        FCMSimulator(projects: [FCMProject(id: "shop", number: "1", devices: phone("fcm"))], accounts: [account])
    ),
    (
        "huawei",
        HuaweiSimulator([
            HuaweiApp(clientID: "1042", clientSecret: Secret(secret), projectID: "388421", devices: phone("huawei"))
        ])
    ),
]

try await SimulationServer.withServers(simulators.map { SimulatorHost($0.simulator) }) { servers in
    let file = FileManager.default.temporaryDirectory.appending(path: "change-vendor-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    for (number, entry) in simulators.enumerated() {
        let settings: JSONValue = [
            "vendor": .string(entry.vendor.rawValue),
            "caFile": .string(servers[0].caFile ?? ""),
            "jpush": ["appKey": .string(key), "masterSecret": .string(secret), "origin": .string(servers[0].origin)],
            "tpns": [
                "accessId": 1_500_999_001, "secretKey": .string(secret), "platform": "android",
                "origin": .string(servers[1].origin),
            ],
            "engagelab": [
                "appKey": .string(key), "masterSecret": .string(secret), "origin": .string(servers[2].origin),
            ],
            "fcm": [
                "serviceAccount": .string(String(decoding: JSONWriter.bytes(of: .object(keyFile)), as: UTF8.self)),
                "origin": .string(servers[3].origin),
            ],
            // Without a class, a notification would be marketing: silent, and two a day.
            "huawei": [
                "clientID": "1042", "clientSecret": .string(secret), "defaultClass": "service:subscription",
                "origin": .string(servers[4].origin),
            ],
        ]
        print("vendor =", entry.vendor)
        try Data(JSONWriter.bytes(of: settings)).write(to: file)
        let report = try await Backend.announce(settings: file.path(), records: records)
        print("  accepted as", report.messageIDs.map(\.rawValue))
        guard let id = records[entry.vendor]?.rawValue else { fail("no phone") }
        let shown = await simulators[number].simulator.snapshot(of: id)?.inbox.map(\.alert)
        guard shown == ["We are open"] else { fail("the phone should show one message, not \(shown ?? [])") }
    }

    // An unknown vendor is refused, and the error lists the known ones.
    try Data(#"{"vendor": "acme"}"#.utf8).write(to: file)
    do {
        _ = try await Backend.announce(settings: file.path(), records: records)
        fail("an unknown vendor was accepted")
    } catch let error as PushError where error.kind == .misconfigured {
        print(error.message)
    }
}
