import PushSimulation

/// The families of the API: each has its own codes for credentials and its own quota.
enum Family {
    case push
    case device
    case report

    var unauthenticated: Refusal {
        switch self {
        case .push: Refusal(401, 1004, "Authen failed")
        case .device: Refusal(401, 7001, "authentication information is empty")
        case .report: Refusal(401, 3001, "Basic authentication failed")
        }
    }

    var wrongCredentials: Refusal {
        switch self {
        case .push: Refusal(401, 1004, "Authen failed")
        case .device: Refusal(401, 7004, "authentication failed")
        case .report: Refusal(401, 3001, "Basic authentication failed")
        }
    }
}

/// A path of the vendor, in either data centre's form.
struct Route {
    enum Call {
        case push
        case validate
        case keys
        case device(String)
        case membership(tag: String, device: String)
        case received
        /// A path that the family's host does not know.
        case unknown
    }

    var family: Family
    var call: Call

    /// Nil for a path that no host of the vendor knows.
    init?(_ request: SimulatedRequest) {
        guard let segments = request.segments, segments.first == "v3" else { return nil }
        var rest = Array(segments.dropFirst())
        switch rest.first {
        case "push":
            rest.removeFirst()
            family = .push
            switch rest {
            case []: call = .push
            case ["validate"]: call = .validate
            case ["cid"]: call = .keys
            default: call = .unknown
            }
        case "received", "report":
            // Beijing puts reports below /v3/report.
            if rest.first == "report" { rest.removeFirst() }
            family = .report
            call = rest == ["received", "detail"] ? .received : .unknown
        case "devices", "tags", "device":
            // Beijing puts devices below /v3/device and tags below /v3/device/tags.
            family = .device
            if rest.first == "device", rest.count > 2, rest[1] == "tags" { rest.removeFirst() }
            if rest.count == 2, rest[0] != "tags" {
                call = .device(rest[1])
            } else if rest.count == 4, rest[0] == "tags", rest[2] == "registration_ids" {
                call = .membership(tag: rest[1], device: rest[3])
            } else {
                call = .unknown
            }
        default: return nil
        }
    }
}
