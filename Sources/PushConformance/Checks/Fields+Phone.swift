import PushAdapter
import PushClient
import PushSimulation

/// Declared fields on the phone: a field written where the vendor does not read it changes the request as well.
extension ConformanceCheck {
    static let arriving = ConformanceCheck(
        .behavior, "content.fields",
        "The vendor accepts a message with any declared field, and the phone gets what it says.",
        needs: [.send, .audienceDevices]
    ) { world in
        // All that fail, because each costs the author a run.
        var failures: [ConformanceFailure] = []
        for row in FieldRow.all where world.provider.capabilities.fields.contains(row.field) {
            do {
                for (plain, varied) in examples(row, world) where world.isMeant(row.field, by: varied) {
                    try await expectArrival(
                        of: row.field, in: world.harness.samples.fields[row.field] ?? varied, instead: plain, world)
                }
            } catch let failure as ConformanceFailure {
                failures.append(failure)
            }
        }
        guard let first = failures.first else { return }
        throw ConformanceFailure(
            expected: failures.map(\.expected).joined(separator: "; "),
            actual: failures.map(\.actual).joined(separator: "; "), hint: first.hint)
    }

    private static func expectArrival(
        of field: MessageField, in varied: Message, instead plain: Message, _ world: World
    ) async throws {
        // Which devices have an environment, the message does not say.
        if field == .environment { return }
        let platforms = varied.platforms ?? field.platform.map { [$0] } ?? Set(world.devices.map(\.platform))
        guard let device = world.devices.first(where: { platforms.contains($0.platform) }) else { return }
        let id = DeviceID(device.id)
        // The app may have settled nothing for the message's class, for example.
        guard world.client.explain(varied, to: .devices([id])).refusals.isEmpty else { return }
        func arrived(_ message: Message) async throws -> DeliveredMessage {
            let before = try await world.inbox(id).count
            do {
                _ = try await world.client.send(message, to: .devices([id]))
            } catch {
                throw ConformanceFailure(
                    expected: "the vendor to accept \(field)", actual: "\(error)",
                    hint: "write it as the vendor reads it, or do not declare it")
            }
            let new = try await world.inbox(id).dropFirst(before)
            guard let delivered = new.first, new.count == 1 else {
                throw ConformanceFailure(
                    expected: "one message with \(field) at \(device.platform)", actual: "\(new.count)",
                    hint: "it was accepted")
            }
            return delivered
        }
        let after = try await arrived(varied)
        guard let place = field.placeOnPhone else { return }
        let (value, before) = (place(after), place(try await arrived(plain)))
        // A vendor may switch something on by itself.
        try expect(
            value != before || value == "true", "\(field) on the phone", actual: value,
            hint: "the same as without it; write it where the vendor reads it")
    }
}

extension MessageField {
    /// Where a phone shows its value; nil for a field that need not be seen there.
    fileprivate var placeOnPhone: ((DeliveredMessage) -> String)? {
        if isOfCustom { return { "\($0.custom as Any)" } }
        let path = rawValue.split(separator: ".").map(String.init)
        let name = path.first(where: { ![Platform.ios, .android, .harmony].map(\.rawValue).contains($0) })
        return switch name {
        case "title": { "\($0.title as Any)" }
        case "subtitle": { "\($0.subtitle as Any)" }
        case "body": { "\($0.alert as Any)" }
        case "sound": { "\($0.sound as Any)" }
        case "badge": { "\($0.badge as Any)" }
        case "category": { "\($0.category as Any)" }
        case "threadID": { "\($0.thread as Any)" }
        case "channelID": { "\($0.channel as Any)" }
        case "collapseID": { "\($0.collapseID as Any)" }
        case "image": { "\($0.image as Any)" }
        case "tap": { "\($0.tap as Any)" }
        case "extras": { "\($0.extras)" }
        case "isMutable": { "\($0.isMutable)" }
        case "isContentAvailable": { "\($0.wakesApp)" }
        case "interruptionLevel": { "\($0.interruptionLevel as Any)" }
        default: nil
        }
    }
}
