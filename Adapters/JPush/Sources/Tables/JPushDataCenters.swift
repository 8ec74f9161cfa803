public import PushAdapter

extension ServiceName {
    static let jpushPush: ServiceName = "push"
    static let jpushDevices: ServiceName = "devices"
    static let jpushTags: ServiceName = "tags"
    static let jpushAliases: ServiceName = "aliases"
    static let jpushTest: ServiceName = "test"
    static let jpushSchedules: ServiceName = "schedules"
    static let jpushPlans: ServiceName = "plans"
    static let jpushGroupPush: ServiceName = "groupPush"
    static let jpushFiles: ServiceName = "files"
    static let jpushImages: ServiceName = "images"
    static let jpushReport: ServiceName = "report"
}

extension JPush {
    /// The layout of a data center's paths. Beijing puts every family on one host.
    public enum PathLayout: Sendable {
        /// Each family at the root of its host: `/v3/devices`, `/v3/tags`, `/v3/schedules`, `/v3/received`.
        case standard
        /// Families below others: `/v3/device/tags`, `/v3/push/schedules`. No files, images or test devices.
        case beijing
    }

    /// The default center, and Beijing for the apps that the console places there.
    public static let dataCenters = DataCenterCatalog(
        DataCenter(
            "default", aliases: ["jpush"], region: "CN",
            services: services(
                .standard, push: "https://api.jpush.cn", device: "https://device.jpush.cn",
                report: "https://report.jpush.cn")),
        and: [
            DataCenter(
                "beijing", aliases: ["bj"], region: "CN",
                services: services(
                    .beijing, push: "https://bjapi.push.jiguang.cn", device: "https://bjapi.push.jiguang.cn",
                    report: "https://bjapi.push.jiguang.cn"))
        ])

    /// A data center whose families share one origin, such as a simulator at `https://localhost:8443`.
    public static func dataCenter(
        at origin: String, named name: String = "custom", layout: PathLayout = .standard, region: String? = nil
    ) -> DataCenter {
        DataCenter(
            name, region: region, services: services(layout, push: origin, device: origin, report: origin))
    }

    private static func services(
        _ layout: PathLayout, push: String, device: String, report: String
    ) -> [ServiceName: String] {
        switch layout {
        case .standard:
            [
                .jpushPush: push + "/v3/push", .jpushDevices: device + "/v3/devices", .jpushTags: device + "/v3/tags",
                .jpushAliases: device + "/v3/aliases", .jpushTest: device + "/v3/test/model",
                .jpushSchedules: push + "/v3/schedules", .jpushPlans: push + "/v3/push_plan",
                .jpushGroupPush: push + "/v3/grouppush", .jpushFiles: push + "/v3/files",
                .jpushImages: push + "/v3/images", .jpushReport: report + "/v3",
            ]
        case .beijing:
            // Beijing has no documented paths for test devices, files and images. The group's path is inferred.
            [
                .jpushPush: push + "/v3/push", .jpushDevices: device + "/v3/device",
                .jpushTags: device + "/v3/device/tags", .jpushAliases: device + "/v3/device/aliases",
                .jpushSchedules: push + "/v3/push/schedules", .jpushPlans: push + "/v3/push_plan",
                .jpushGroupPush: push + "/v3/grouppush", .jpushReport: report + "/v3/report",
            ]
        }
    }
}
