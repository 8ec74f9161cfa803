import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    private static let small = World.Setup(
        deviceCount: 4, configure: { $0.concurrentSlices = 1 },
        restrict: {
            $0.limits[.devicesPerSend] = .atMost(2, $0.limits[.devicesPerSend])
            $0.concurrency = 1
        })

    /// Calls that succeed only in part.
    static let partial: [ConformanceCheck] = [
        ConformanceCheck(
            .partial, "slices", "A list too long for one request is split, and every device is reached once.",
            needs: [.send, .audienceDevices],
            setup: World.Setup(
                deviceCount: 5, restrict: { $0.limits[.devicesPerSend] = .atMost(2, $0.limits[.devicesPerSend]) })
        ) { world in
            let report = try await world.client.send(world.message, to: .devices(world.deviceIDs))
            try expectEqual(
                report.slices.reduce(0) { $0 + $1.requestCount }, (4 + world.requestSize) / world.requestSize,
                "the requests", hint: "\(world.requestSize) devices each")
            try expectEqual(try await world.deliveries(), [1, 1, 1, 1, 1], "the messages received", hint: "each once")
            try expectEqual(report.acceptedCount, 5, "the targets accepted", hint: "all of them")
        },
        ConformanceCheck(
            .partial, "throttled", "A throttle in the middle of a send to a list leaves no device out.",
            needs: [.send, .audienceDevices], setup: small
        ) { world in
            let report = try await world.sendFailingSecond(with: .throttle(reset: 1), times: 1)
            try expect(report.isComplete, "a complete report", actual: "\(report)", hint: "wait, then go on")
            try expectEqual(try await world.deliveries(), [1, 1, 1, 1], "the messages received", hint: "each once")
        },
        ConformanceCheck(
            .partial, "members",
            "A tag is given to many devices and taken from one, and each device has the outcome that is reported.",
            needs: [.addMembers, .removeMembers],
            setup: World.Setup(
                deviceCount: 5,
                restrict: { $0.limits[.devicesPerTagCall] = .atMost(2, $0.limits[.devicesPerTagCall]) })
        ) { world in
            let tag = world.tags(1)[0]
            let unknown = DeviceID(world.harness.device(90).id)
            let report = try await world.client.updateMembers(
                of: tag, .add(world.deviceIDs + [unknown, world.device, "no id"]))
            try expectEqual(
                report.exceptions.map(\.position).filter { $0 != 5 }, [6, 7], "the devices that were not accepted",
                hint: "the duplicate and the malformed one, and perhaps the unknown one")
            for device in world.deviceIDs {
                try expectEqual(try await world.tags(device), [tag], "the tags of a device", hint: "all were accepted")
            }
            _ = try await world.client.updateMembers(of: tag, .remove([world.deviceIDs[1], world.deviceIDs[4]]))
            let left = try await world.deviceIDs.asyncFilter { try await world.tags($0) == [tag] }
            try expectEqual(
                left, [0, 2, 3].map { world.deviceIDs[$0] }, "the devices with the tag", hint: "only the named ones")
        },
        ConformanceCheck(
            .partial, "duplicates", "A device that is listed twice is reached once, and the duplicate is reported.",
            needs: [.send, .audienceDevices]
        ) { world in
            let report = try await world.client.send(world.message, to: .devices([world.device, world.device]))
            try expectEqual(try await world.inbox(world.device).count, 1, "the messages received", hint: "once")
            try expectEqual(
                report.exceptions.map(\.status), [.duplicate(of: 0)], "the exceptions", hint: "the second one")
        },
        ConformanceCheck(
            .partial, "malformed",
            "A malformed device id is not sent and not called invalid, its status says why, and the rest is sent.",
            needs: [.send, .audienceDevices]
        ) { world in
            let texts = ["no id", world.device.rawValue + " "]
            let ids = texts.map { DeviceID($0) } + [world.device]
            let report = try await world.client.send(world.message, to: .devices(ids))
            try expectEqual(report.exceptions.map(\.position), [0, 1], "the exceptions", hint: "the malformed ids")
            for item in report.exceptions {
                guard case .malformed(let reason) = item.status, !item.isSaidByVendor else {
                    throw ConformanceFailure(
                        expected: "the status malformed", actual: "\(item.status)",
                        hint: "limits[charactersOf: .deviceIDLength] must not allow a blank")
                }
                try expect(
                    !reason.isEmpty && !texts.contains(where: reason.contains), "a reason without the id",
                    actual: Redaction.quoted(reason), hint: "the core writes it")
            }
            try expectEqual(report.invalidTargets, [], "the invalid targets", hint: "the vendor was not asked")
            try expectEqual(
                try await world.inbox(world.device).count, 1, "the messages received", hint: "send the rest")
        },
        ConformanceCheck(
            .partial, "unknownDevice",
            "Targets reported as accepted got the message; targets that may be retried did not.",
            needs: [.send, .audienceDevices]
        ) { world in
            let unknown = DeviceID(world.harness.device(90).id)
            let ids = world.deviceIDs + [unknown]
            let report: SendReport
            do throws(PushError) {
                report = try await world.client.send(world.message, to: .devices(ids))
            } catch {
                guard let failed = error.report else { throw error }
                report = failed
            }
            let exceptions = Dictionary(report.exceptions.map { ($0.position, $0.status) }, uniquingKeysWith: { $1 })
            for (position, count) in try await world.deliveries().enumerated() {
                let status = exceptions[position] ?? .accepted
                try expect(
                    (status == .accepted) == (count == 1) && !(status.isRetryable && count > 0),
                    "a status that agrees with what was delivered", actual: "\(status) and \(count) deliveries",
                    hint: "name invalid targets in the receipt or in the error's VendorDetail")
            }
            let status = exceptions[world.deviceIDs.count] ?? .accepted
            // A request with one target need not name it.
            let samples = world.harness.samples
            let isNamed = samples.namesUnknownDevices && world.requestSize > 1
            try expect(
                samples.mayKnowDevicesLater
                    ? status.isRetryable : isNamed ? status.isInvalid : !status.isRetryable,
                "the unknown device to be invalid, not retryable if the vendor does not name it, or retryable if the "
                    + "vendor may know it later",
                actual: "\(status)", hint: "name it in the receipt, or in the error's VendorDetail")
        },
        ConformanceCheck(
            .partial, "refusedList",
            "The refusal of a whole list has a status for each target that it is about, and for no other.",
            needs: [.send, .audienceDevices]
        ) { world in
            // One request for the whole list, without the client, which would send the rest again.
            guard world.requestSize > 1 else { return }
            let unknown = DeviceID(world.harness.device(90).id)
            let audience = Audience.devices(Array(world.deviceIDs.prefix(world.requestSize - 1)) + [unknown])
            guard let sample = try world.sample(of: .send, audience: audience) else { return }
            do throws(PushError) {
                try await world.client.run(sample.exchange)
            } catch {
                try expectEqual(error.effect, .notApplied, "the effect", hint: "the vendor refused the list")
                let named = error.vendor?.targets ?? [:]
                try expectEqual(
                    Array(named.keys), world.harness.samples.namesUnknownDevices ? [unknown.rawValue] : [],
                    "the targets that the refusal is about", hint: "give VendorDetail the targets that the vendor names"
                )
                try expect(
                    named.values.allSatisfy(\.isInvalid), "the status invalid", actual: "\(named.values.map(\.self))",
                    hint: "the app does not have the device")
            }
        },
        ConformanceCheck(
            .partial, "refusedSlice",
            "When the vendor refuses one slice, the others are accepted and the report says so.",
            needs: [.send, .audienceDevices], setup: small
        ) { world in
            let refusal = world.answer(try world.lastingError(for: .send))
            let report = try await world.sendFailingSecond(with: .answer(refusal), times: 1)
            let size = world.requestSize
            try expectEqual(
                try await world.deliveries(), (0..<4).map { $0 / size == 1 ? 0 : 1 }, "the messages received",
                hint: "all slices but the second")
            try expectEqual(
                report.exceptions.map(\.status), Array(repeating: .rejected(mayRetry: false), count: size),
                "the exceptions", hint: "a refusal has no effect")
            // A vendor has an id for each request, or one for each target.
            let received = try await world.receivedIDs()
            try expectEqual(
                report.messageIDs.sorted { $0.rawValue < $1.rawValue }, received, "the messages",
                hint: "those of the slices that were accepted")
        },
        ConformanceCheck(
            .partial, "head",
            "A list whose first hundred requests are refused goes on where another target is accepted.",
            needs: [.send, .audienceDevices],
            setup: World.Setup(deviceCount: 220, configure: small.configure, restrict: small.restrict)
        ) { world in
            let refusal = world.answer(try world.lastingError(for: .send))
            for path in try world.slicePaths(100) { world.host.faults.add(.answer(refusal), path: path) }
            let report = try await world.client.send(world.message, to: .devices(world.deviceIDs))
            let head = 100 * world.requestSize
            try expectEqual(
                report.exceptions.map(\.position), Array(0..<head), "the targets that were not accepted",
                hint: "\(report.interruption.map(String.init) ?? "the refused ones")")
            try expect(
                report.exceptions.allSatisfy { !$0.status.isInvalid || $0.isSaidByVendor }, "no invalid target",
                actual: "some are", hint: "the vendor did not say so of the target")
            try expectEqual(
                try await world.deliveries(), Array(repeating: 0, count: head) + Array(repeating: 1, count: 220 - head),
                "the messages received", hint: "each once, but for the refused ones")
        },
        ConformanceCheck(
            .partial, "unknownSlice", "A slice that may have been delivered is unknown and not retryable.",
            needs: [.send, .audienceDevices], setup: small
        ) { world in
            let report = try await world.sendFailingSecond(
                with: .serverError(status: 500), times: world.repeatsSends ? 3 : 1)
            try expectEqual(
                report.exceptions.map(\.status), Array(repeating: .unknown, count: world.requestSize), "the exceptions",
                hint: "its outcome is unknown")
            try expectEqual(report.retryable(), [], "the retryable targets", hint: "it could arrive twice")
        },
        ConformanceCheck(
            .partial, "nothing", "A send with nothing accepted fails, and its error has a report.",
            needs: [.send, .audienceDevices]
        ) { world in
            let sending = try world.required(.send)
            let refusal = world.answer(try world.lastingError(for: .send))
            world.host.faults.add(.answer(refusal), times: 9, path: try world.path(of: sending))
            let error = try await expectError("the send", hint: "the vendor refused everything") {
                () async throws(PushError) in
                try await world.client.send(world.message, to: .devices([world.device]))
            }
            try expectEqual(error.effect, .notApplied, "the effect", hint: "\(error)")
            try expectEqual(error.report?.exceptions.count, 1, "the targets of the report", hint: "each has a status")
        },
        ConformanceCheck(
            .partial, "tags", "A tag change that stops half-way reports which tags were added.", needs: [.addTags],
            setup: World.Setup(restrict: { $0.limits[.tagsPerCall] = Limit(1, .count, .split, source: "the kit") })
        ) { world in
            let tags = world.tags(world.tagCount(3))
            let adding = try world.required(.addTags)
            let path = try world.path(of: adding)
            let refusal = world.answer(try world.lastingError(for: .addTags))
            // The first call succeeds: its fault is harmless.
            world.host.faults.add(.oversize(bytes: 0), path: path)
            world.host.faults.add(.answer(refusal), path: path)
            let outcome = try await world.client.updateTags(.add(Set(tags)), of: world.device)
            try expect(
                outcome.failure != nil, "a failure in the outcome", actual: "none", hint: "the second call is refused")
            try expectEqual(outcome.added, [tags[0]], "the tags added", hint: "in order, until the refusal")
            try expectEqual(
                try await world.tags(world.device), outcome.added, "the tags at the vendor", hint: "as reported")
        },
    ]
}

extension World {
    /// Sends to four devices in two requests or more; the second meets a fault.
    fileprivate func sendFailingSecond(with fault: Fault, times: Int) async throws -> SendReport {
        guard requestSize > 1 else {
            let paths = try slicePaths(2)
            // With the device elsewhere, the first request succeeds: its fault is harmless.
            if paths[0] == paths[1] { host.faults.add(.oversize(bytes: 0), path: paths[0]) }
            host.faults.add(fault, times: times, path: paths[1])
            return try await client.send(message, to: .devices(deviceIDs))
        }
        let path = try slicePath()
        var options = SendOptions()
        options.onSlice = { slice in
            if slice.index == 0 { host.faults.add(fault, times: times, path: path) }
        }
        return try await client.send(message, to: .devices(deviceIDs), options: options)
    }

    /// The path of the requests of a list, which may differ from that of a single device.
    private func slicePath() throws(ConformanceFailure) -> String {
        let steps = client.explain(message, to: .devices(deviceIDs)).steps.filter { $0.operation == .send }
        let count = steps.reduce(0) { $0 + $1.count }
        guard count >= 2, let last = steps.last else {
            throw ConformanceFailure(expected: "two slices", actual: "\(count)", hint: "devicesPerSend")
        }
        return path(of: last.url)
    }

    /// The paths of the first requests of a list. With one device in each, the device may be in the path.
    fileprivate func slicePaths(_ count: Int) throws -> [String] {
        guard requestSize == 1 else { return [String](repeating: try slicePath(), count: count) }
        return try deviceIDs.prefix(count).map { device in
            try sample(of: .send, device: device).map { (sample) throws(PushError) in try path(of: sample) } ?? ""
        }
    }

    /// The ids, in a report, of the messages that devices received, sorted.
    fileprivate func receivedIDs() async throws -> [MessageID] {
        var ids: Set<MessageID> = []
        for device in deviceIDs {
            for message in try await inbox(device) { ids.insert(harness.reportedID(of: message.messageID)) }
        }
        return ids.sorted { $0.rawValue < $1.rawValue }
    }

    fileprivate var requestSize: Int { client.capabilities.limits[.devicesPerSend]?.maximum ?? 1 }
}

extension Sequence {
    fileprivate func asyncFilter(_ isWanted: (Element) async throws -> Bool) async throws -> [Element] {
        var wanted: [Element] = []
        for element in self where try await isWanted(element) { wanted.append(element) }
        return wanted
    }
}
