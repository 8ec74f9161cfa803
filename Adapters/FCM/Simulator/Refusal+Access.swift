import PushAdapter

/// Errors of callers, projects and quotas.
extension Refusal {
    private static let expectation =
        "Expected OAuth 2 access token, login cookie or other valid authentication credential."

    static func noBearer(_ call: Call) -> Refusal {
        var metadata = call.family.metadata
        if call == .send { metadata["method"] = "google.firebase.fcm.v1.FcmService.SendMessage" }
        return Refusal(
            401, "Request is missing required authentication credential. \(expectation)",
            [.reason("CREDENTIALS_MISSING", metadata)])
    }

    static let unknownBearer = Refusal(401, "Request had invalid authentication credentials. \(expectation)")

    static func expiredBearer(_ call: Call) -> Refusal {
        Refusal(401, unknownBearer.text, [.reason("ACCESS_TOKEN_EXPIRED", call.family.metadata)])
    }

    static func scope(_ call: Call) -> Refusal {
        Refusal(
            403, "Request had insufficient authentication scopes.",
            [.reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT", call.family.metadata)])
    }

    static func disabled(_ project: FCMProject, _ call: Call) -> Refusal {
        let url =
            "https://console.developers.google.com/apis/api/\(call.family.host)/overview?project=\(project.number)"
        let text =
            "Firebase Cloud Messaging API has not been used in project \(project.number) before or it is disabled. "
            + "Enable it by visiting \(url) then retry."
        var metadata = call.family.metadata
        metadata["consumer"] = .string("projects/\(project.number)")
        return Refusal(
            403, text,
            [.reason("SERVICE_DISABLED", metadata), .help("Google developers console API activation", url: url)])
    }

    static func permission(_ name: String, project: String) -> Refusal {
        let resource = "projects/\(project)"
        return Refusal(
            403,
            "Permission '\(name)' denied on resource '//cloudresourcemanager.googleapis.com/\(resource)' "
                + "(or it may not exist).",
            [.reason("IAM_PERMISSION_DENIED", ["permission": .string(name), "resource": .string(resource)])])
    }

    /// The refusal for exceeding a project's messages per minute.
    static func projectQuota(number: String, limit: Int, namesCode: Bool) -> Refusal {
        let text =
            "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "
            + "'fcm.googleapis.com' for consumer 'project_number:\(number)'."
        let metadata: [String: JSONValue] = [
            "service": "fcm.googleapis.com", "consumer": .string("projects/\(number)"),
            "quota_metric": "fcm.googleapis.com/send_requests", "quota_limit": "SendsPerMinutePerProject",
            "quota_limit_value": .string(String(limit)), "quota_unit": "1/min/{project}",
            "quota_location": "global",
        ]
        let help = Detail.help(
            "Request a higher quota limit.", url: "https://cloud.google.com/docs/quotas/help/request_increase")
        let code: [Detail] = namesCode ? [.code("QUOTA_EXCEEDED")] : []
        return Refusal(429, text, [.reason("RATE_LIMIT_EXCEEDED", metadata), help] + code)
    }

    /// An internal error in the form of each family of calls.
    static func failure(_ status: Int, hasCode: Bool) -> Refusal {
        let texts = [
            500: "Internal error encountered.", 503: "The service is currently unavailable.",
            504: "The request did not complete in time.",
        ]
        let codes = [500: "INTERNAL", 503: "UNAVAILABLE"]
        let grantErrors = [429: "temporarily_unavailable", 500: "internal_failure", 503: "temporarily_unavailable"]
        return Refusal(
            status, texts[status] ?? "Error \(status).", hasCode ? codes[status].map { [Detail.code($0)] } ?? [] : [],
            grantError: grantErrors[status] ?? "server_error")
    }

    // MARK: Token endpoint

    static func grant(_ error: String, _ text: String, status: Int = 400) -> Refusal {
        Refusal(status, text, grantError: error)
    }

    static let signature = grant("invalid_grant", "Invalid JWT Signature.")
    static let account = grant("invalid_grant", "Invalid grant: account not found")
    static let times = grant(
        "invalid_grant",
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
            + "Check your iat and exp values in the JWT claim.")
}
