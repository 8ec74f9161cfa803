/// Numbers from the vendor's documents.
enum Rules {
    static let tokenLength = 36
    static let tagBytes = 50
    static let listLength = 500
    static let tagsPerDeletion = 100
    static let devicesPerAccount = 100
    static let tokensPerBatch = 20
    static let attributeLength = 50
    static let targets = 1000
    static let tagsPerPush = 500
    static let messageBytes = 4096
    static let lives = 800...259_200
    static let standardLife = 86_400
    static let pushSpeed = 1000...50_000
    static let lateness = 600.0
    static let horizon = 90 * 86_400.0
    /// The maximum number of times in a loop. No loop needs more.
    static let loopMoments = 1000
    static let largestBadge = Int(Int32.max)
    static let repetition = 3600.0
    static let packageBytes = 100 << 20
    static let packageName = 1...100
    static let accountLine = 2...100
    static let planName = 60
    static let planDescription = 300
    static let recordLimit = 1...200

    static let audiences: Set<String> = [
        "all", "tag", "token", "token_list", "account", "account_list", "package_account_push", "package_token_push",
    ]
    static let channels: Set<String> = ["xg", "hw", "xm", "mz", "vivo", "oppo", "apns", "honor", "fcm"]
    static let interruptionLevels: Set<String> = ["passive", "active", "time-sensitive", "critical"]
    static let presetTags: Set<String> = [
        "xg_auto_version", "xg_auto_province", "xg_auto_city", "xg_auto_active", "xg_auto_sdkversion",
        "xg_auto_systemversion", "xg_auto_systemlanguage", "xg_auto_country", "xg_auto_devicebrand",
        "xg_auto_deviceversion",
    ]
    static let distributions: Set<String> = [
        "city", "province", "app_version", "sdk_version", "system_version", "device_brand", "device_version",
    ]
}
