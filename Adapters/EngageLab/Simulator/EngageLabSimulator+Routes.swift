import PushAdapter
import PushSimulation

/// The vendor's paths. For a wrong method, the vendor documents a code for pushes only.
extension EngageLabSimulator {
    /// The credentials and the quota of a call.
    enum Kind {
        case ordinary
        /// The credentials of the group.
        case group
        /// A batch pays for each of its targets instead of itself.
        case batch
    }

    static let routes: SimulatedRoutes<Kind, EngageLabSimulator, Refusal> = [
        .post("/v4/push", .ordinary) { try $0.push($1, delivers: true) },
        .post("/v4/push/validate", .ordinary) { try $0.push($1, delivers: false) },
        .post("/v4/batch/push/regid", .batch) { try $0.pushBatch($1, isAlias: false) },
        .post("/v4/batch/push/alias", .batch) { try $0.pushBatch($1, isAlias: true) },
        .post("/v4/grouppush", .group) { try $0.pushGroup($1) },
        .delete("/v4/push/withdraw/{id}", .ordinary) { try $0.recall($1["id"], $1.now) },
        .post("/v4/push_plan", .ordinary) { try $0.setPlan($1) },
        .get("/v4/push_plan/list", .ordinary) { try $0.listPlans($1.request) },
        .delete("/v4/push_plan/batch/{ids}", .ordinary) { try $0.removePlans($1["ids"], isBatch: true) },
        .delete("/v4/push_plan/{id}", .ordinary) { try $0.removePlans($1["id"], isBatch: false) },

        .post("/v4/devices/status", .ordinary) { try $0.deviceStatus($1) },
        .post("/v4/devices/token/registration_id", .ordinary) { try $0.registerTokens($1) },
        .get("/v4/devices/{id}", .ordinary) { try $0.readDevice($1["id"]) },
        .post("/v4/devices/{id}", .ordinary) { try $0.updateDevice($1) },
        .delete("/v4/devices/{id}", .ordinary) { try $0.deleteDevice($1["id"], $1.now) },
        .get("/v4/tags_count", .ordinary) { try $0.countTags($1.request) },
        .get("/v4/tags", .ordinary) { it, _ in it.listTags() },
        .get("/v4/tags/quota-info", .ordinary) { try $0.tagQuota($1.request) },
        .post("/v4/tags/{tag}", .ordinary) { try $0.updateTag($1) },
        .delete("/v4/tags/{tag}", .ordinary) { try $0.deleteTag($1) },
        .get("/v4/tags/{tag}/registration_ids/{id}", .ordinary) { try $0.testTag($1["tag"], $1["id"]) },
        .get("/v4/aliases/{alias}", .ordinary) { try $0.readAlias($1) },
        .delete("/v4/aliases/{alias}", .ordinary) { try $0.deleteAlias($1) },
        .get("/v4/app/vip/status", .ordinary) { $0.paidStatus($1.now) },

        .get("/v4/status/detail", .ordinary) { try $0.statistics($1) },
        .get("/v4/status/message", .ordinary) { try $0.fates($1) },
        .get("/v4/status/batch/message", .ordinary) { try $0.batchFates($1) },
        .get("/v4/status/plan/detail", .ordinary) { try $0.planReport($1, isDetail: true) },
        .get("/v4/status/plan/msg", .ordinary) { try $0.planReport($1, isDetail: false) },
        .get("/v4/status/users", .ordinary) { try $0.users($1.request) },

        .get("/v4/schedules", .ordinary) { try $0.listSchedules($1) },
        .post("/v4/schedules", .ordinary) { try $0.createSchedule($1) },
        .get("/v4/schedules/{id}", .ordinary) { try $0.readSchedule($1["id"]) },
        .put("/v4/schedules/{id}", .ordinary) { try $0.updateSchedule($1) },
        .delete("/v4/schedules/{id}", .ordinary) { try $0.removeSchedule($1["id"]) },
        .get("/v4/schedules/{id}/msg-ids", .ordinary) { try $0.scheduledMessages($1["id"]) },

        .get("/v4/voices", .ordinary) { it, _ in it.listVoices() },
        .post("/v4/voices", .ordinary) { try $0.uploadVoice($1.request) },
        .delete("/v4/voices", .ordinary) { try $0.removeVoice($1.request.parameter("language") ?? "") },
        .get("/v4/voices/{language}", .ordinary) { try $0.readVoice($1["language"]) },
        .delete("/v4/voices/{language}", .ordinary) { try $0.removeVoice($1["language"]) },
        .post("/v4/image/oppo", .ordinary) { try $0.oppoImage($1) },
    ]
}

extension SimulatedCall {
    /// The fields of the body, which has to be a JSON object.
    func fields() throws(Refusal) -> [String: JSONValue] {
        guard let fields = request.object else { throw .unknownField("not a JSON object") }
        return fields
    }
}
