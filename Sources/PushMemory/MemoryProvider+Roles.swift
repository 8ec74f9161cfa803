import FoundationEssentials
public import PushAdapter

extension MemoryProvider {
    /// `POST /messages`, or `POST` to the address of the device.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let shown = message.notification
        let texts = [shown?.title, shown?.body].compactMap { $0?.plain?.utf8.count }.reduce(0, +)
        return { (audience, context) throws(PushError) in
            let call = exchange(
                .send,
                WireRequest(.post, .memory, path: ["messages"], body: try body(message, audience, context.key)),
                context.key.map(Idempotency.keyed) ?? .unkeyed,
                checking: [
                    .message(message), .audience(audience), .amount(texts, .payloadBytes, "the texts of the message"),
                ]
            ) { (response) throws(PushError) in try response.json(MemoryWire.Receipt.self).value }
            return try addressed(call, to: audience)
        }
    }

    /// `POST /messages/check`.
    public func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt> {
        exchange(
            .validate,
            WireRequest(.post, .memory, path: ["messages", "check"], body: try body(message, audience, nil)),
            checking: [.message(message), .audience(audience)]
        ) { (response) throws(PushError) in try response.json(MemoryWire.Receipt.self).value }
    }

    /// `GET /keys`: keys that live for a day.
    public func mintKeys(_ count: Int, for operation: Feature) throws(PushError) -> Exchange<[IdempotencyKey]> {
        exchange(
            .mintKeys, WireRequest(.get, .memory, path: ["keys"], query: [QueryItem("count", String(count))]),
            checking: [.count(count, .keysPerMint, "the keys")]
        ) { (response) throws(PushError) in
            try response.json([String].self).map { key in
                IdempotencyKey(
                    key, kind: operation == .createSchedule ? .schedule : .push, mintedAt: response.receivedAt,
                    expiresAt: response.receivedAt.addingTimeInterval(86_400))
            }
        }
    }

    /// `GET /reports`.
    public func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        let ids = messages.map(\.rawValue).joined(separator: ",")
        return exchange(
            .readDeliveries, WireRequest(.get, .memory, path: ["reports"], query: [QueryItem("ids", ids)]),
            checking: [.count(messages.count, .messagesPerReport, "the messages of a report")]
        ) { (response) throws(PushError) in
            try response.json([String: Int].self).sorted { $0.key < $1.key }.map { id, received in
                DeliveryReport(messageID: MessageID(id), channels: [.vendor: DeliveryCount(received: received)])
            }
        }
    }

    /// `GET /app`.
    public func probe() throws(PushError) -> Exchange<Void> {
        exchange(.probeCredentials, WireRequest(.get, .memory, path: ["app"])) { (response) throws(PushError) in
            _ = try response.json([String].self)
        }
    }

    private func body(
        _ message: Message, _ audience: Audience, _ key: IdempotencyKey?
    ) throws(PushError) -> WireBody {
        _ = try message.options(MemoryOptions.self)
        try message.check(MemoryOptions.rules, of: Self.id)
        return try MemoryWire.body(MemoryWire.Send(key: key?.value, audience: audience, message: message))
    }
}

extension MemoryProvider {
    /// `GET /devices/{device}/tags`.
    public func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        exchange(.readTags, request(.get, device, ["tags"]), of: device) { (response) throws(PushError) in
            Set(try response.json([Tag].self))
        }
    }

    /// `POST /tags/{tag}`: skips devices that the vendor does not know, and names them.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        let body = try MemoryWire.body(MemoryWire.MemberChange(verb: change.feature, devices: change.devices))
        return exchange(
            change.feature, WireRequest(.post, .memory, path: ["tags", .value(tag.rawValue)], body: body),
            checking: [
                .tags([tag]), .devices(change.devices),
                .count(change.devices.count, .devicesPerTagCall, "the devices of the change"),
            ]
        ) { (response) throws(PushError) in
            SendReceipt(invalidTargets: try response.json([String].self))
        }
    }

    /// `GET /devices/{device}/tags/{tag}`.
    public func testTag(_ tag: Tag, of device: DeviceID) throws(PushError) -> Exchange<Bool> {
        exchange(
            .testTag, request(.get, device, ["tags", .value(tag.rawValue)]), of: device, checking: [.tags([tag])]
        ) { (response) throws(PushError) in try response.json([Bool].self).first ?? false }
    }

    /// `POST /devices/{device}/tags`.
    public func updateTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        let body = try MemoryWire.body(MemoryWire.Change(verb: change.feature, tags: change.elements.sorted()))
        return exchange(
            change.feature, request(.post, device, ["tags"], body), of: device, checking: [.tags(change.elements)],
            decode: Self.acknowledge)
    }

    /// `POST /devices/{device}`: tags and alias together.
    public func updateDevice(_ update: DeviceUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try update.check()
        guard update.phone == nil else {
            throw PushError(.unsupported, "the memory vendor sets a phone number in a request of its own")
        }
        let tags = update.tags.map { MemoryWire.Change(verb: $0.feature, tags: $0.elements.sorted()) }
        let alias: Alias? =
            switch update.alias {
            case .set(let alias): alias
            case .clear, nil: nil
            }
        let body = try MemoryWire.body(
            MemoryWire.Update(
                tags: tags, removed: update.removedTags.sorted(),
                alias: update.alias.map { _ in alias?.rawValue ?? "" }))
        return exchange(
            .updateDevice, WireRequest(.post, .memory, path: ["devices", .value(device.rawValue)], body: body),
            of: device,
            checking: [
                .tags(update.removedTags.union(update.tags?.elements ?? [])), .aliases(alias.map { [$0] } ?? []),
            ], decode: Self.acknowledge)
    }

    /// `GET /devices/{device}/alias`.
    public func readAlias(of device: DeviceID) throws(PushError) -> Exchange<Alias?> {
        exchange(.readAlias, request(.get, device, ["alias"]), of: device) { (response) throws(PushError) in
            try response.json([Alias].self).first
        }
    }

    /// `PUT /devices/{device}/alias`.
    public func setAlias(_ alias: Alias, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        exchange(
            .setAlias, request(.put, device, ["alias"], try MemoryWire.body([alias])), of: device,
            checking: [.aliases([alias])],
            decode: Self.acknowledge)
    }

    /// `DELETE /devices/{device}/alias`.
    public func removeAlias(of device: DeviceID) -> Exchange<Void> {
        exchange(.removeAlias, request(.delete, device, ["alias"]), of: device, decode: Self.acknowledge)
    }
}

extension MemoryProvider {
    /// `GET /aliases/{alias}`.
    public func readDevices(of alias: Alias) throws(PushError) -> Exchange<Set<DeviceID>> {
        exchange(
            .readAliasDevices, WireRequest(.get, .memory, path: ["aliases", .value(alias.rawValue)]),
            checking: [.aliases([alias])]
        ) { (response) throws(PushError) in try response.json(Set<DeviceID>.self) }
    }

    /// `DELETE /aliases/{alias}`.
    public func deleteAlias(_ alias: Alias) throws(PushError) -> Exchange<Void> {
        exchange(
            .deleteAlias, WireRequest(.delete, .memory, path: ["aliases", .value(alias.rawValue)]),
            checking: [.aliases([alias])], decode: Self.acknowledge)
    }
}

extension MemoryProvider {
    /// `GET /devices/{device}/phone`.
    public func readPhone(of device: DeviceID) throws(PushError) -> Exchange<PhoneNumber?> {
        exchange(.readPhone, request(.get, device, ["phone"]), of: device) { (response) throws(PushError) in
            try response.json([PhoneNumber].self).first
        }
    }

    /// `PUT /devices/{device}/phone`.
    public func setPhone(_ phone: PhoneNumber, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        exchange(
            .setPhone, request(.put, device, ["phone"], try MemoryWire.body([phone])), of: device,
            checking: [.phone(phone)],
            decode: Self.acknowledge)
    }

    /// `DELETE /devices/{device}/phone`.
    public func removePhone(of device: DeviceID) -> Exchange<Void> {
        exchange(.removePhone, request(.delete, device, ["phone"]), of: device, decode: Self.acknowledge)
    }

    /// `POST /schedules`.
    public func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID> {
        let body = try MemoryWire.body(
            MemoryWire.NewSchedule(
                name: schedule.name, trigger: MemoryWire.Trigger(schedule.trigger),
                send: MemoryWire.Send(key: key?.value, audience: schedule.audience, message: schedule.message)))
        return exchange(
            .createSchedule, WireRequest(.post, .memory, path: ["schedules"], body: body),
            key.map(Idempotency.keyed) ?? .unkeyed,
            checking: [
                .message(schedule.message), .audience(schedule.audience),
                .amount(schedule.name.utf8.count, .scheduleName, "the schedule's name"),
            ]
        ) { (response) throws(PushError) in
            guard let id = try response.json([ScheduleID].self).first else {
                throw PushError(
                    .malformedResponse,
                    "the response to a new schedule has no id; list the schedules before you create it again",
                    effect: .unknown)
            }
            return id
        }
    }

    /// `GET /schedules/{id}`.
    public func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus> {
        exchange(
            .readSchedule, WireRequest(.get, .memory, path: ["schedules", .value(id.rawValue)]),
            checking: [.text(id.rawValue, .scheduleID, "a schedule id")]
        ) { (response) throws(PushError) in try response.json(MemoryWire.KeptSchedule.self).status }
    }

    /// `GET /schedules`.
    public func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>> {
        exchange(
            .listSchedules, WireRequest(.get, .memory, path: ["schedules"], query: [QueryItem("page", String(page))])
        ) { (response) throws(PushError) in
            Page(try response.json([MemoryWire.KeptSchedule].self).map(\.status), number: page, of: 1)
        }
    }

    /// `DELETE /schedules/{id}`.
    public func removeSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<Void> {
        exchange(
            .removeSchedule, WireRequest(.delete, .memory, path: ["schedules", .value(id.rawValue)]),
            checking: [.text(id.rawValue, .scheduleID, "a schedule id")], decode: Self.acknowledge)
    }
}
