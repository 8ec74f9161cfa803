public import PushAdapter

extension ServiceName {
    static let fcm: ServiceName = "fcm"
    static let fcmInstanceID: ServiceName = "iid"
    static let fcmData: ServiceName = "fcmdata"
    static let fcmOAuth: ServiceName = "oauth"
    static let fcmMetadata: ServiceName = "metadata"
}

extension FCM {
    /// One data center for the whole world. The vendor names no region.
    ///
    /// Source: REST reference of projects.messages; OAuth 2.0 for server to server applications; library
    /// google-auth for Python, 2026-03.
    public static let dataCenters = DataCenterCatalog(
        DataCenter(
            "global",
            services: [
                .fcm: "https://fcm.googleapis.com/v1", .fcmOAuth: "https://oauth2.googleapis.com",
                .fcmInstanceID: "https://iid.googleapis.com/iid",
                .fcmData: "https://fcmdata.googleapis.com/v1beta1",
                .fcmMetadata: "http://metadata.google.internal/computeMetadata/v1",
            ]))
}
