import PushSimulation

/// The families of the API. Each has its own codes for credentials and its own quota.
enum Family: String, CaseIterable {
    case push = "Push API"
    case device = "Device API"
    case report = "Report API"
    case schedule = "Schedule API"
    case files = "File API"
    /// Pushes to a group. The group signs them.
    case group = "Group Push API"
    case groupReport = "Group Report API"

    var isGroup: Bool { self == .group || self == .groupReport }

    var unauthenticated: Refusal {
        switch self {
        case .push, .files, .group: Refusal(401, 1004, "Authen failed")
        case .device: Refusal(401, 7001, "authentication information is empty")
        case .report, .groupReport: Refusal(401, 3001, "Basic authentication failed")
        case .schedule: Refusal(401, 8101, "authentication failed")
        }
    }

    var wrongCredentials: Refusal {
        if case .device = self { return Refusal(401, 7004, "authentication failed") }
        return unauthenticated
    }

    /// The response to an unknown path or a wrong method, if the vendor documents one.
    var unknownPath: Refusal? { self == .device ? .unknownPath : nil }
}
