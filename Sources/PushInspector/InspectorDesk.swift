import FoundationEssentials
import PushAdapter
import PushPages
import PushPhone
import PushSimulation

/// The requests and actions of the page.
struct InspectorDesk: PageDesk {
    private static let files = PageFiles(
        html: PackageResources.page_html, css: PackageResources.page_css, js: PackageResources.page_js)

    let inspector: Inspector
    let simulator: any ConnectableSimulator
    let streams: EventStreams
    /// Different in every run of the server, so that a page notices a new one.
    let run = String(UInt64.random(in: .min ... .max), radix: 16)
    /// By their ids as the page has them.
    let phones: [String: VirtualPhone]
    let hiding: InspectorRedaction

    init(_ inspector: Inspector, _ simulator: any ConnectableSimulator, _ streams: EventStreams) {
        self.inspector = inspector
        self.simulator = simulator
        self.streams = streams
        let hiding = InspectorRedaction(inspector.secrets, hasSecretPaths: simulator.hasSecretPaths)
        self.hiding = hiding
        phones = Dictionary(inspector.phones.map { (hiding.id($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Lets the simulator and the phones do the work that is due, once a second until the task is cancelled.
    func tick() async {
        var quotas: [QuotaReading] = []
        var count = 0
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let now = inspector.clock.date
            await simulator.settle(at: now)
            for phone in inspector.phones { phone.settle() }
            let current = await simulator.quotas(at: now)
            if current != quotas { streams.noteChange() }
            quotas = current
            count += 1
            if count.isMultiple(of: 15) { streams.wake() }
        }
    }

    /// Answers a request that the guard let pass.
    func answer(_ request: SimulatedRequest) async -> SimulatedResponse {
        do throws(PageRefusal) {
            guard let path = request.segments else { throw PageRefusal(400, "the address has a broken escape") }
            if request.method == .get { return try await read(path, request) }
            let result = try await change(request.method, path, try Fields(of: request))
            streams.noteChange()
            return .json(result)
        } catch {
            return error.response
        }
    }

    // MARK: Reading

    private func read(
        _ path: [String], _ request: SimulatedRequest
    ) async throws(PageRefusal) -> SimulatedResponse {
        if let file = Self.files.answer(path) { return file }
        switch path {
        case ["state"]: return .json(await state(request))
        case ["requests"]:
            let number = request.parameter("after").flatMap { Int($0) } ?? 0
            let entries = inspector.host.journal.entries(after: number, limit: 200)
            return .json(["run": .string(run), "requests": .array(entries.map { row(of: $0).json })])
        default:
            guard path.count == 2, path[0] == "requests", let number = Int(path[1]) else {
                throw PageRefusal(404, "there is nothing at this address")
            }
            guard let entry = inspector.host.journal.entry(number) else {
                throw PageRefusal(404, "the journal does not have this request any more")
            }
            return .json(row(of: entry).details)
        }
    }

    func row(of entry: RequestJournal.Entry) -> RequestRow {
        RequestRow(entry, verdicts: inspector.verdicts, hiding: hiding, phones: inspector.phones)
    }

    // MARK: Changing

    private func change(
        _ method: HTTPRequest.Method, _ path: [String], _ fields: Fields
    ) async throws(PageRefusal) -> JSONValue {
        switch (method, path) {
        case (.post, ["send"]): return try await send(fields)
        case (.post, ["faults"]): return try addFault(fields)
        case (.delete, ["faults"]):
            inspector.host.faults.removeAll()
            return [:]
        case (.post, _) where path.count == 3 && path[0] == "phones":
            guard let phone = phones[path[1]] else { throw PageRefusal(404, "there is no phone with this id") }
            try await use(phone, path[2], fields)
            return [:]
        default: throw PageRefusal(404, "there is nothing to change at this address")
        }
    }

    private func use(
        _ phone: VirtualPhone, _ action: String, _ fields: Fields
    ) async throws(PageRefusal) {
        switch action {
        case "tap": await phone.tap(try fields.text("identifier"), action: try fields.optionalText("action"))
        case "dismiss": await phone.dismiss(try fields.text("identifier"))
        case "open": await phone.openApp()
        case "leave": await phone.leaveApp()
        case "kill": await phone.killApp()
        case "reachable": await phone.setReachable(try fields.flag("isReachable"))
        case "permission": await phone.setPermission(try fields.flag("isAllowed"))
        default: throw PageRefusal(404, "a phone cannot do this")
        }
    }

    private static let mostFaults = 100
    private static let mostTimes = 1000
    private static let longestPath = 500

    private func addFault(_ fields: Fields) throws(PageRefusal) -> JSONValue {
        let name = try fields.text("fault")
        guard let kind = FaultKind.named(name) else { throw PageRefusal(400, "there is no such fault") }
        if let misfit = inspector.host.misfit(of: kind) { throw PageRefusal(400, misfit) }
        let value = try fields.optionalNumber("value")
        if let value, kind.values?.contains(value) != true {
            throw PageRefusal(400, "the fault cannot have this number")
        }
        let times = try fields.optionalNumber("times") ?? 1
        guard (1...Self.mostTimes).contains(times) else {
            throw PageRefusal(400, "a fault can hit 1 to \(Self.mostTimes) requests")
        }
        let path = try fields.optionalText("path").flatMap { $0.isEmpty ? nil : $0 }
        guard path?.hasPrefix("/") != false, (path?.utf8.count ?? 0) <= Self.longestPath else {
            throw PageRefusal(400, "a path begins with / and has at most \(Self.longestPath) bytes")
        }
        guard inspector.host.faults.remaining.count < Self.mostFaults else {
            throw PageRefusal(409, "\(Self.mostFaults) faults wait already; clear them first")
        }
        inspector.host.faults.add(kind.fault(value), times: times, path: path)
        return ["waiting": .array(inspector.host.faults.remaining.map { json($0) })]
    }

    func json(_ waiting: FaultScript.Waiting) -> JSONValue {
        [
            "fault": .string(waiting.fault.words), "times": JSONValue(waiting.times),
            "path": .init(text: waiting.path.map { hiding.path($0) }),
        ]
    }

    private func send(_ fields: Fields) async throws(PageRefusal) -> JSONValue {
        var message = ConsoleMessage(title: try fields.optionalText("title") ?? "", body: try fields.text("body"))
        message.badge = try fields.badge("badge")
        message.device = await device(try fields.optionalText("device"))
        guard (message.device == nil) == (try fields.optionalFlag("everyone") ?? false) else {
            throw PageRefusal(400, "give either a device or everyone")
        }
        do throws(PushError) {
            return ["messageID": .string(hiding.id(try await inspector.send(message)))]
        } catch {
            // A request that failed may have changed the simulator as well.
            streams.noteChange()
            throw PageRefusal(422, error.message)
        }
    }

    /// The device that the page names by the id that it has, or by a whole one.
    private func device(_ name: String?) async -> DeviceID? {
        guard let name else { return nil }
        return DeviceID(await simulator.deviceIDs().first { hiding.id($0) == name } ?? name)
    }
}
