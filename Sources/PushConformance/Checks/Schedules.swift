import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The effects of phone and schedule calls at the vendor.
    static let schedules: [ConformanceCheck] = [
        ConformanceCheck(
            .behavior, "phone", "A phone number is set, replaced, read and removed, on one device only.",
            needs: [.setPhone, .readPhone, .removePhone]
        ) { world in
            let client = world.client
            try expectEqual(
                try await client.readPhone(of: world.device)?.rawValue, nil, "the number of a new device", hint: "none")
            for number in [world.phone, "13900000000"] { try await client.setPhone(number, of: world.device) }
            try expectEqual(
                try await client.readPhone(of: world.device)?.rawValue, "13900000000", "the number",
                hint: "the last one")
            try expectEqual(
                try await client.readPhone(of: world.deviceIDs[1])?.rawValue, nil, "another device's",
                hint: "change only one device")
            for _ in 0..<2 { try await client.removePhone(of: world.device) }
            try expectEqual(
                try await client.readPhone(of: world.device)?.rawValue, nil, "the number after it was removed",
                hint: "none")
        },
        ConformanceCheck(
            .behavior, "schedule.once", "A one-time schedule sends at its time, once, and not before.",
            needs: [.createSchedule, .scheduleOnce]
        ) { world in
            _ = try await world.client.createSchedule(world.schedule(world.message, world.audience))
            try expectEqual(try await world.deliveries(), [0, 0, 0], "the messages before its time", hint: "not yet")
            try await world.pass(2 * 86_400)
            try expectEqual(try await world.deliveries(), [1, 0, 0], "the messages after its time", hint: "once")
        },
        ConformanceCheck(
            .behavior, "schedule.recurring", "A daily schedule sends once a day until it ends.",
            needs: [.createSchedule, .scheduleRecurring]
        ) { world in
            try await world.use(.scheduleRecurring)
            try await world.pass(30 * 86_400)
            let count = try await world.inbox(world.device).count
            // Half past nine comes ten times in ten days: once more if they begin with it or the vendor's clock is put
            // forward in between, once less if it is put back.
            try expect(
                (9...11).contains(count), "ten messages", actual: "\(count)", hint: "check time of day, start and end")
        },
        ConformanceCheck(
            .behavior, "schedule.read", "A schedule is read and listed as it was created.",
            needs: [.createSchedule, .scheduleOnce, .readSchedule]
        ) { world in
            let schedule = world.schedule(world.message, world.audience)
            let id = try await world.client.createSchedule(schedule)
            let status = try await world.client.readSchedule(id)
            try expectEqual(
                status, ScheduleStatus(id: id, name: schedule.name, isEnabled: true, trigger: schedule.trigger),
                "the schedule", hint: "its time is in the vendor's time zone")
            guard world.has(.listSchedules) else { return }
            let page = try await world.client.listSchedules()
            try expectEqual(page.elements, [status], "the first page", hint: "the same schedule")
            let last = try await world.client.listSchedules(page: 99)
            try expectEqual(last.elements, [], "a page past the end", hint: "it is empty")
        },
        ConformanceCheck(
            .behavior, "schedule.remove", "A removed schedule never sends.",
            needs: [.createSchedule, .scheduleOnce, .removeSchedule]
        ) { world in
            let id = try await world.client.createSchedule(world.schedule(world.message, world.audience))
            try await world.client.removeSchedule(id)
            try await world.pass(2 * 86_400)
            try expectEqual(try await world.deliveries(), [0, 0, 0], "the messages after its time", hint: "none")
        },
        ConformanceCheck(
            .behavior, "schedule.key", "A schedule sends once, even if the response to its creation is lost.",
            when: { $0.has(.createSchedule) && $0.has(.scheduleOnce) },
            supported: { world in
                let creating = try world.required(.createSchedule)
                world.host.faults.add(.actedThenLost, path: try world.path(of: creating))
                do throws(PushError) {
                    _ = try await world.client.createSchedule(world.schedule(world.message, world.audience))
                } catch {
                    try expectEqual(error.effect, .unknown, "the effect", hint: "\(error)")
                }
                try await world.pass(2 * 86_400)
                try expectEqual(
                    try await world.deliveries(), [1, 0, 0], "the messages",
                    hint: "retry with a key, or do not retry")
            },
            refused: { world in
                _ = try await world.expectRefusal(ofFirstMissing: [.createSchedule, .scheduleOnce])
            }),
        ConformanceCheck(
            .refusal, "schedule.past", "A schedule in the past is refused before anything is sent.",
            needs: [.createSchedule, .scheduleOnce]
        ) { world in
            var schedule = world.schedule(world.message, world.audience)
            schedule.trigger = .once(world.clock.date.addingTimeInterval(-1))
            let late = schedule
            try await world.expectRefusal("a time in the past", as: [.invalidArgument], hint: "it is too late to send")
            {
                () async throws(PushError) in try await world.client.createSchedule(late)
            }
        },
    ]
}

extension World {
    /// Advances the clock, here and at the vendor.
    fileprivate func pass(_ seconds: Int) async throws {
        guard let clock = clock as? VirtualClock else {
            throw ConformanceFailure(expected: "a virtual clock", actual: "a real one", hint: "the check's setup")
        }
        clock.advance(by: .seconds(seconds))
    }
}
