import FoundationEssentials
import PushAdapter
import PushPages
import PushPhone
import PushSimulation

/// The state of the page at one moment.
extension InspectorDesk {
    /// The most devices on the page.
    private static let mostDevices = 50
    private static let mostPhones = 20
    private static let mostTags = 50

    /// The state, with a page of the devices and the phones that match a text.
    ///
    /// `find`, `offset` and `limit` choose devices; `phone` and `phoneOffset` choose phones.
    func state(_ request: SimulatedRequest) async -> JSONValue {
        let revision = streams.revision
        let now = inspector.clock.date
        let quotas = await simulator.quotas(at: now).map { quota -> JSONValue in
            [
                "name": .string(hiding.id(quota.name)), "limit": JSONValue(quota.limit),
                "remaining": JSONValue(quota.remaining),
            ]
        }
        let kinds = inspector.host.faultKinds.map { kind -> JSONValue in
            ["name": .string(kind.name), "words": .string(kind.words)]
        }
        let waiting = inspector.host.faults.remaining.map { json($0) }
        let devices = await devicePage(request)
        return [
            "run": .string(run), "revision": JSONValue(revision), "vendor": .string(simulator.vendor),
            "now": now.json, "devices": devices, "phones": phonePage(request), "quotas": .array(quotas),
            "faults": ["kinds": .array(kinds), "waiting": .array(waiting)],
        ]
    }

    // MARK: Devices

    private func devicePage(_ request: SimulatedRequest) async -> JSONValue {
        let ids = await simulator.deviceIDs()
        let wanted = Self.wanted(request.parameter("find"))
        var matching = ids
        if !wanted.isEmpty {
            matching = []
            for id in ids {
                if await isMatch(id, wanted) { matching.append(id) }
            }
        }
        let limit = Self.number(request, "limit", Self.mostDevices, 1...Self.mostDevices)
        let offset = Self.number(request, "offset", 0, 0...max(0, matching.count - 1))
        var items: [JSONValue] = []
        for id in matching.dropFirst(offset).prefix(limit) { items.append(await device(id)) }
        return [
            "total": JSONValue(ids.count), "matching": JSONValue(matching.count), "offset": JSONValue(offset),
            "limit": JSONValue(limit), "items": .array(items),
        ]
    }

    private func isMatch(_ id: String, _ wanted: String) async -> Bool {
        if hiding.id(id).lowercased().contains(wanted) { return true }
        guard let device = await simulator.snapshot(of: id) else { return false }
        let texts = Array(device.tags) + [device.alias].compactMap { $0 } + device.accounts.map(\.name)
        return texts.contains { $0.lowercased().contains(wanted) }
    }

    private func device(_ id: String) async -> JSONValue {
        guard let device = await simulator.snapshot(of: id) else { return ["id": .string(hiding.id(id))] }
        let accounts = device.accounts.map { account in
            account.type.map { "\(account.name) (type \($0))" } ?? account.name
        }
        return [
            "id": .string(hiding.id(id)), "platform": .init(text: device.device?.platform.rawValue),
            "isOnline": device.device.map { JSONValue.bool($0.isOnline) } ?? .null,
            "tags": .array(device.tags.sorted().prefix(Self.mostTags).map(JSONValue.string)),
            "tagCount": JSONValue(device.tags.count), "alias": .init(text: device.alias),
            "accounts": .array(accounts.sorted().prefix(Self.mostTags).map(JSONValue.string)),
            "inbox": JSONValue(device.inbox.count), "badge": JSONValue(device.badge),
            "hasPhone": .bool(phones[hiding.id(id)] != nil),
        ]
    }

    // MARK: Phones

    private func phonePage(_ request: SimulatedRequest) -> JSONValue {
        let wanted = Self.wanted(request.parameter("phone"))
        let matching = inspector.phones.filter { phone in
            wanted.isEmpty || hiding.id(phone.id).lowercased().contains(wanted)
                || phone.device.platform.rawValue == wanted
        }
        let offset = Self.number(request, "phoneOffset", 0, 0...max(0, matching.count - 1))
        return [
            "total": JSONValue(inspector.phones.count), "matching": JSONValue(matching.count),
            "offset": JSONValue(offset), "limit": JSONValue(Self.mostPhones),
            "items": .array(matching.dropFirst(offset).prefix(Self.mostPhones).map { $0.json(hiding) }),
        ]
    }

    // MARK: Parameters

    private static func wanted(_ text: String?) -> String { String((text ?? "").prefix(100)).lowercased() }

    private static func number(
        _ request: SimulatedRequest, _ name: String, _ usual: Int, _ range: ClosedRange<Int>
    ) -> Int {
        let number = request.parameter(name).flatMap { Int($0) } ?? usual
        return min(max(number, range.lowerBound), range.upperBound)
    }
}
