import FoundationEssentials
public import PushAdapter

/// Messages that the vendor sends later. A schedule is a message with a time; its id is the message's.
extension Xiaomi {
    /// The call of a send, with `time_to_send`. The vendor has no field for the name, and no list of schedules.
    ///
    /// Refuses a recurring schedule with `unsupported`, and a key: a lost response leaves the outcome unknown.
    public func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID> {
        guard case .once(let date) = schedule.trigger else {
            throw PushError(
                .unsupported, "Xiaomi sends a scheduled message once; repeat it from your backend",
                operation: .createSchedule)
        }
        guard key == nil else {
            throw PushError(
                .unsupported, "schedules of Xiaomi take no idempotency keys; leave the key out",
                operation: .createSchedule)
        }
        let encoded = try XiaomiEncoder(xiaomi: self).encode(schedule.message)
        let target = try XiaomiTarget(schedule.audience, except: encoded.options.except ?? [])
        guard let time = Int(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)) else {
            throw PushError(
                .invalidArgument, "the time of the schedule is too far away", operation: .createSchedule)
        }
        let delivery = XiaomiDelivery(target: target, seed: "\(time) \(encoded.form.text)", time: time)
        return sending(.createSchedule, encoded, delivery).map {
            (receipt) throws(PushError) in ScheduleID(receipt.messageID?.rawValue ?? "")
        }
    }

    /// `POST /v2/schedule_job/delete`. One request. Refuses a schedule that the vendor does not have, with
    /// `invalidState`, even if an earlier attempt of this call removed it and its response was lost.
    public func removeSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<Void> {
        var form = FormBody()
        form.add("restricted_package_name", packageName)
        form.add("job_id", id.rawValue)
        return Exchange(
            .removeSchedule,
            WireRequest(.post, .xiaomi, path: ["v2", "schedule_job", "delete"], body: form.body),
            inputs: [.text(id.rawValue, .scheduleID, "the schedule")], idempotency: .idempotent,
            charges: [QuotaCharge(.xiaomiRequests)]
        ) { (response) throws(PushError) in _ = try XiaomiReply.accepted(response) }
    }
}
