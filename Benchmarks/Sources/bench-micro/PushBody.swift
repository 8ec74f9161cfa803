import PushAdapter

/// The push that the adapter makes from the sample, for `JSONEncoder`.
struct PushBody: Encodable {
    struct Audience: Encodable {
        var registrationID: [String]

        enum CodingKeys: String, CodingKey { case registrationID = "registration_id" }
    }

    struct Extras: Encodable {
        var count = 3
        var order = "2024-000815"
        var screen = "parcel"
    }

    struct Android: Encodable {
        var alert = text
        var extras = Extras()
        var title = heading
    }

    struct Alert: Encodable {
        var body = text
        var title = heading
    }

    struct IOS: Encodable {
        var alert = Alert()
        var extras = Extras()
    }

    struct Notification: Encodable {
        var alert = text
        var android = Android()
        var ios = IOS()
    }

    struct Options: Encodable {
        var isProduction = true
        var timeToLive = 3600

        enum CodingKeys: String, CodingKey {
            case isProduction = "apns_production"
            case timeToLive = "time_to_live"
        }
    }

    var audience: Audience
    var notification = Notification()
    var options = Options()
    var platform = ["android", "ios"]

    init(devices: [DeviceID]) { audience = Audience(registrationID: devices.map(\.rawValue)) }

    private static let text = "Parcel 2 of 3 is on its way and should arrive tomorrow before noon."
    private static let heading = "Your order has left"
}
