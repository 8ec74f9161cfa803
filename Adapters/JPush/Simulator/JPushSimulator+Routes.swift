import PushAdapter
import PushSimulation

/// The vendor's paths. Beijing has some of them below `device`, `report` or `push`.
extension JPushSimulator {
    private typealias Route = SimulatedRoute<Family, JPushSimulator, Refusal>

    private static let unknown: Route.Answer = { _, _ in throw Refusal.unknownPath }

    static let routes: SimulatedRoutes<Family, JPushSimulator, Refusal> = [
        .post("/v3/push", .push) { try $0.push($1, delivers: true) },
        .post("/v3/push/validate", .push) { try $0.push($1, delivers: false) },
        .get("/v3/push/cid", .push) { try $0.mintKeys($1) },
        .post("/v3/push/file", .push) { try $0.push($1, delivers: true) },
        .get("/v3/push/quota", .push) { it, _ in it.vendorQuota() },
        .post("/v3/push/template", .push) { $0.pushTemplate($1, isScheduled: false) },
        .post("/v3/push/template/schedule", .push) { $0.pushTemplate($1, isScheduled: true) },
        .post("/v3/push/batch/regid/single", .push) { try $0.pushBatch($1, to: "registration_id") },
        .post("/v3/push/batch/alias/single", .push) { try $0.pushBatch($1, to: "alias") },
        .delete("/v3/push/{#id}", .push) { $0.recall($1["id"]) },
        .post("/v3/push_plan/create", .push) { $0.setPlan($1, isNew: true) },
        .put("/v3/push_plan/update", .push) { $0.setPlan($1, isNew: false) },
        .get("/v3/push_plan/list", .push) { $0.listPlans($1.request) },
        .post("/v3/grouppush", .group) { try $0.pushGroup($1) },
        .post("/v3/grouppush/file", .group) { try $0.pushGroup($1) },
        .post("/v3/images/byurls", .push) { try $0.imageURLs($1, nil) },
        .put("/v3/images/byurls/{id}", .push) { try $0.imageURLs($1, $1["id"]) },
        .post("/v3/images/byfiles", .push) { try $0.imageFiles($1, nil) },
        .put("/v3/images/byfiles/{id}", .push) { try $0.imageFiles($1, $1["id"]) },

        .get("/v3/files", .files) { $0.listFiles($1.now) },
        .post("/v3/files/alias", .files) { try $0.uploadFile($1, "alias") },
        .post("/v3/files/registration_id", .files) { try $0.uploadFile($1, "registration_id") },
        .get("/v3/files/{id}", .files) { try $0.readFile($1["id"], $1.now) },
        .delete("/v3/files/{id}", .files) { $0.removeFile($1["id"]) },
        .any("/v3/files/*", .files, unknown),

        .get("/v3/[push]/schedules", .schedule) { try $0.listSchedules($1) },
        .post("/v3/[push]/schedules", .schedule) { try $0.createSchedule($1) },
        .get("/v3/[push]/schedules/{id}", .schedule) { try $0.readSchedule($1["id"]) },
        .put("/v3/[push]/schedules/{id}", .schedule) { try $0.updateSchedule($1) },
        .delete("/v3/[push]/schedules/{id}", .schedule) { try $0.removeSchedule($1["id"]) },
        .get("/v3/[push]/schedules/{id}/msg_ids", .schedule) { try $0.scheduledMessages($1["id"]) },
        .any("/v3/[push]/schedules/*", .schedule, unknown),
        .any("/v3/push/*", .push, unknown),

        .get("/v3/[report]/received", .report) { try $0.report($1, isDetail: false) },
        .get("/v3/[report]/received/detail", .report) { try $0.report($1, isDetail: true) },
        .post("/v3/[report]/status/message", .report) { try $0.receipts($1.body) },
        .get("/v3/[report]/messages", .report) { try $0.statistics($1.request, isGroup: false) },
        .get("/v3/[report]/messages/detail", .report) { try $0.statistics($1.request, isGroup: false) },
        .get("/v3/[report]/users", .report) { try $0.users($1.request, isGroup: false) },
        .get("/v3/[report]/group/messages/detail", .groupReport) { try $0.statistics($1.request, isGroup: true) },
        .get("/v3/[report]/group/users", .groupReport) { try $0.users($1.request, isGroup: true) },
        .any("/v3/report|received|status|messages|users|group/*", .report, unknown),

        .get("/v3/[device]/aliases/{alias}", .device) { try $0.readAlias($1) },
        .post("/v3/[device]/aliases/{alias}", .device) { try $0.removeAlias($1) },
        .delete("/v3/[device]/aliases/{alias}", .device) { try $0.deleteAlias($1) },
        .get("/v3/[device]/tags", .device) { it, _ in it.listTags() },
        .post("/v3/[device]/tags/{tag}", .device) { try $0.updateTag($1) },
        .delete("/v3/[device]/tags/{tag}", .device) { try $0.deleteTag($1) },
        .get("/v3/[device]/tags/{tag}/registration_ids/{id}", .device) { try $0.testTag($1["tag"], $1["id"]) },
        .any("/v3/[device]/aliases|tags/*", .device, unknown),
        .post("/v3/devices|device/status", .device) { try $0.onlineStatus($1.body) },
        .get("/v3/devices|device/{id}", .device) { try $0.readDevice($1["id"]) },
        .post("/v3/devices|device/{id}", .device) { try $0.updateDevice($1) },
        .any("/v3/devices|device/*", .device, unknown),
        .get("/v3/test/model/list", .device) { try $0.listTestDevices($1.request) },
        .post("/v3/test/model/add", .device) { try $0.nameTestDevice($1.request) },
        .put("/v3/test/model/update", .device) { try $0.nameTestDevice($1.request) },
        .delete("/v3/test/model/delete/{id}", .device) { try $0.removeTestDevice($1["id"]) },
        .any("/v3/test/model/*", .device, unknown),
    ]
}
