import ArgumentParser
import Glibc
import PushAdapter
import PushBridge
import PushConformance
import PushSimulation
import PushSimulationServer

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a simulator of a vendor on this machine until it is stopped.",
        discussion: """
            Prints one line of JSON with the addresses and the CA file, then serves until SIGINT or SIGTERM.

            If a vendor's data centers keep apps apart, each gets its own port. The app lives in the first one.
            """)

    @Argument(help: "The vendor to simulate.", completion: .vendors)
    var vendor: String

    @Option(help: "The port, or the first of several; 0 for any free ports.")
    var port = 0

    @Flag(help: "Use plain HTTP instead of HTTPS.")
    var plain = false

    @Option(
        help: """
            The app key that the simulator accepts: the AccessId at TPNS, the project id at FCM and HarmonyOS, the bundle \
            id at APNs, the client id at Huawei, the package at Xiaomi, the app id at vivo (a number) and Honor, the contact \
            (mailto:...) at Web Push.
            """)
    var appKey: String

    @Option(
        help: """
            The master secret that the simulator accepts, the secret key at TPNS, the client secret at Huawei and Honor, \
            the app secret at Xiaomi and vivo; not a real one. Not at FCM, APNs, HarmonyOS and Web Push, which print the \
            file of a key for tests.
            """)
    var masterSecret: String?

    @Option(help: "The data center where the app lives; the vendor's default without it.")
    var dataCenter: String?

    @Option(
        name: .customLong("device"),
        help: """
            An installation that exists: ID:ios, ID:android, ID:harmony or ID:web. Repeatable. With :development behind it, \
            its token is of Apple's environment for development. A browser's subscription is in the output, under "devices".
            """)
    var devices: [String] = []

    @Option(help: "A file with such a device in each line, for thousands; - for standard input.", completion: .file())
    var devicesFile: String?

    @Option(
        name: .customLong("foreign-device"),
        help: """
            An installation of another app, which this one must not address: ID:PLATFORM. Repeatable. FCM, APNs and the \
            phone makers.
            """)
    var foreignDevices: [String] = []

    @Option(help: "A group that the app belongs to: KEY:SECRET, not real ones. JPush and EngageLab.")
    var group: String?

    @Option(
        name: .customLong("segment"),
        help: "A segment of the console: NAME:DEVICE,DEVICE. Repeatable. JPush and EngageLab.")
    var segments: [String] = []

    @Option(
        name: .customLong("live-activity"),
        help: "A Live Activity with the devices that show it: ID:DEVICE,DEVICE. Repeatable. JPush and EngageLab.")
    var liveActivities: [String] = []

    @Option(help: "Pushes to everyone that the vendor accepts per day. JPush, 10 by default, and vivo, 1000.")
    var broadcastsPerDay: Int?

    @Option(help: "Pushes that the vendor accepts per minute. JPush only; 600 by default.")
    var pushesPerMinute: Int?

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp(
            "Injects a fault into the next request: NAME, NAME=VALUE, NAME@PATH, 3*NAME. Repeatable.",
            discussion: """
                throttle[=SECONDS], error[=STATUS], html[=STATUS], silence: the vendor does nothing.
                refuse, goaway: it does nothing, and says so as HTTP/2 can. APNs only.
                lost, late[=SECONDS], truncated, hangup[=BYTES], drip[=MILLISECONDS], oversize[=BYTES]: it acts, but the response fails.
                @PATH: only a request whose path ends with this, such as @/v3/push.
                """))
    var faults: [String] = []

    @Flag(
        help: """
            Serve a page about the first simulator on another port, with a phone for each of the first 20 devices. The \
            output has its address under "inspector".
            """)
    var inspect = false

    @Option(help: "The port of the page; 0 for any free port.")
    var inspectPort = 0

    @Flag(help: "Also stop when the process that started it ends.")
    var withParent = false

    private static let taken = Locked<[String]>([])

    /// Takes the devices out of the arguments, because the parser's time grows with the square of their number. Leaves
    /// an incomplete option to the parser.
    static func takingDevices(from arguments: [String]) -> [String] {
        guard arguments.first == configuration.commandName ?? _commandName, arguments.count > 200 else {
            return arguments
        }
        var rest: [String] = []
        var devices: [String] = []
        var index = 0
        while index < arguments.count {
            if arguments[index] == "--device", index + 1 < arguments.count, !arguments[index + 1].hasPrefix("-") {
                devices.append(arguments[index + 1])
                index += 2
            } else {
                rest.append(arguments[index])
                index += 1
            }
        }
        taken.withLock { $0 = devices }
        return rest
    }

    private func listed() throws(PushError) -> [String] {
        guard let devicesFile else { return [] }
        let reader = try LineReader(devicesFile)
        var devices: [String] = []
        while let line = try reader.next() {
            guard let text = line.text, !line.isCut else {
                throw PushError(
                    .invalidArgument, "line \(line.number) of \(Input.quoted(devicesFile)) is not ID:PLATFORM")
            }
            devices.append(text)
        }
        return devices
    }

    func run() async throws {
        // Catches signals before this command writes files that it must remove at the end.
        let signal = StopSignal(parent: withParent ? getppid() : nil)
        for (option, port) in [("--port", port), ("--inspect-port", inspectPort)] {
            guard (0...65_535).contains(port) else {
                throw PushError(.invalidArgument, "\(option) is \(port); give 0 to 65535")
            }
        }
        guard inspect || inspectPort == 0 else {
            throw PushError(.invalidArgument, "--inspect-port needs --inspect")
        }
        var app = SimulatedApp(
            key: appKey, secret: masterSecret, dataCenter: dataCenter,
            devices: try (devices + Self.taken.withLock { $0 } + listed()).map(Self.device))
        app.foreignDevices = try foreignDevices.map(Self.device)
        let ids = (app.devices + app.foreignDevices).map(\.id)
        if Set(ids).count != ids.count {
            throw PushError(.invalidArgument, "two of the devices have the same id")
        }
        if let group {
            let parts = group.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts.contains("") else {
                throw PushError(.invalidArgument, "--group is not KEY:SECRET")
            }
            app.group = (parts[0], parts[1])
        }
        let known = Set(app.devices.map(\.id))
        app.segments = try Self.members(segments, "--segment", known)
        app.liveActivities = try Self.members(liveActivities, "--live-activity", known)
        for (option, count) in [
            ("--broadcasts-per-day", broadcastsPerDay), ("--pushes-per-minute", pushesPerMinute),
        ] {
            guard let count, count < 0 else { continue }
            throw PushError(.invalidArgument, "\(option) is \(count); give 0 or more")
        }
        (app.broadcastsPerDay, app.pushesPerMinute) = (broadcastsPerDay, pushesPerMinute)
        let registered = try Vendor.named(vendor).harness
        let simulated = try registered.makeSimulators(of: app)
        let (shown, secret) = (app.devices, app.secret)
        let centers = simulated.centers
        guard port == 0 || port + centers.count - 1 <= 65_535 else {
            throw PushError(.invalidArgument, "--port is \(port); \(centers.count) ports from there exceed 65535")
        }
        let hosts = centers.map { SimulatorHost($0.simulator) }
        for host in hosts {
            for text in faults {
                let (fault, times, path) = try FaultText.read(text, for: host)
                host.faults.add(fault, times: times, path: path)
            }
        }
        try await SimulationServer.withServers(hosts, security: plain ? .plain : .tls, port: port) { servers in
            let home = centers[0].simulator
            var fields: [String: JSONValue] = home.addresses(at: servers[0].origin).mapValues(JSONValue.string)
            for (center, server) in zip(centers, servers) { fields[center.name] = .string(server.origin) }
            fields["caFile"] = servers[0].caFile.map(JSONValue.string)
            fields["vendor"] = .string(home.vendor)
            let secrets = Set(registered.provider.settings.filter { $0.form == .secret }.map(\.name))
            if !simulated.deviceIDs.isEmpty {
                fields["devices"] = .object(simulated.deviceIDs.mapValues(JSONValue.string))
            }
            for (name, value) in simulated.settings where !secrets.contains(name) { fields[name] = .string(value) }
            let keyFile = try simulated.keyFile.map { (file) throws(PushError) in
                let content = file.content(servers[0].origin).withBytes { String(decoding: $0, as: UTF8.self) }
                return (file.name, try TemporaryFile(content))
            }
            defer { keyFile?.1.remove() }
            if let (name, file) = keyFile { fields[name] = .string(file.path) }
            guard inspect else {
                Output.print(.object(fields))
                return await signal.wait()
            }
            let addresses = fields
            try await Inspection.withPage(
                of: hosts[0], devices: shown, ids: simulated.deviceIDs,
                provider: simulated.makeProvider(InProcessTransport.origin), secret: secret, port: inspectPort
            ) { address in
                Output.print(.object(addresses.merging(["inspector": .string(address)]) { $1 }))
                await signal.wait()
            }
        }
    }

    /// Parses names with their devices, which must exist.
    private static func members(
        _ texts: [String], _ option: String, _ known: Set<String>
    ) throws(PushError) -> [String: Set<String>] {
        var members: [String: Set<String>] = [:]
        for text in texts {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let ids = parts.last?.split(separator: ",").map(String.init) ?? []
            guard parts.count == 2, !parts[0].isEmpty, !ids.isEmpty else {
                throw PushError(.invalidArgument, "\(option) \(Redaction.quoted(text)) is not NAME:DEVICE,DEVICE")
            }
            if let stranger = ids.first(where: { !known.contains($0) }) {
                throw PushError(
                    .invalidArgument, "\(option) names \(Redaction.quoted(stranger)), but no --device has this id")
            }
            members[parts[0], default: []].formUnion(ids)
        }
        return members
    }

    private static func device(_ text: String) throws(PushError) -> VirtualDevice {
        let suffix = ":\(AppEnvironment.development.rawValue)"
        if text.hasSuffix(suffix) {
            var device = try device(String(text.dropLast(suffix.count)))
            device.environment = .development
            return device
        }
        // An FCM id contains a colon itself.
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
            case let platform = String(text[text.index(after: colon)...]),
            ["ios", "android", "harmony", "web"].contains(platform)
        else {
            throw PushError(
                .invalidArgument, "the device \(Redaction.quoted(text)) is not ID:ios, ID:android, ID:harmony or ID:web"
            )
        }
        return VirtualDevice(String(text[..<colon]), Platform(platform))
    }
}
