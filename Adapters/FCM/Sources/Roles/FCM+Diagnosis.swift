import FoundationEssentials
public import PushAdapter

extension FCM {
    /// Reads the vendor's envelope. The FcmError in its details counts first, then the ErrorInfo, then its status. The
    /// message is ignored, because its wording changes.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        if response.isSuccess, !response.mayHave("error") { return nil }
        let operation = call.operation
        if operation == .mintToken { return tokenError(in: response) }
        if topicAPI == .instanceID, let error = instanceError(in: response, operation) { return error }
        guard let reply = try? response.json(Envelope.self), case let envelope = reply.error,
            let status = envelope.status
        else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let (surface, code) = envelope.code(or: status)
        var detail = VendorDetail(
            code: code, message: envelope.message, httpStatus: response.status, body: response.body)
        let isAboutTarget = operation.isAboutDevice || operation == .send || operation == .validate
        // Apple refuses the activity's token; the device's own token may be good.
        let isAboutActivity = (envelope.isDeadOnApple || envelope.isBadOnApple) && call.message?.liveActivity != nil
        detail.verdict = isAboutTarget ? (isAboutActivity ? .isolated : envelope.verdict) : nil
        var error = PushError(FCMErrors.rows.row(code, on: surface.rawValue), detail, of: "FCM", in: response)
        if surface == .status, code == "NOT_FOUND", operation.isAboutDevice {
            error.kind = .noTarget
            error.message = "FCM: the project does not exist, or does not know the token or installation"
            // The project may be the cause, so the device does not count as dead.
            error.vendor?.verdict = .suspect
        }
        if envelope.isDeadOnApple { error.kind = .noTarget }
        if isAboutActivity {
            error.message =
                "FCM: Apple refuses the token of the Live Activity: it has ended, or is of another app or environment"
        }
        // A response that also names a message contradicts itself.
        if reply.name != nil { error.effect = .unknown }
        return error
    }

    /// Reads an error of Instance ID; nil for any other body. `{"error": "TooManyRegistrationTokens"}` refuses a whole
    /// call: its texts are not codes, so the status counts. `{"results": [{"error": "NOT_FOUND"}]}` refuses one device.
    private func instanceError(in response: WireResponse, _ operation: Feature) -> PushError? {
        let reply = try? response.json()
        let place: (surface: FCMErrors.Surface, code: String)
        if operation.isAboutDevice, let results = reply?["results"]?.arrayValue, results.count == 1,
            let code = results[0]["error"]?.stringValue
        {
            place = (.instance, code)
        } else if reply?["error"]?.stringValue != nil, let known = Self.instanceStatuses[response.status] {
            place = known
        } else {
            return nil
        }
        let row = FCMErrors.rows.row(VendorCode(place.code), on: place.surface.rawValue)
        var detail = VendorDetail(
            code: VendorCode(place.code), message: reply?["error"]?.stringValue, httpStatus: response.status,
            body: response.body)
        // The account may be the cause of any other refusal of a whole call.
        let isAboutDevice = reply?["results"] != nil || place.code == "NOT_FOUND" && operation.isAboutDevice
        detail.verdict = isAboutDevice ? Self.instanceVerdicts[place.code] : nil
        return PushError(row, detail, of: "FCM", in: response)
    }

    private static let instanceStatuses: [Int: (FCMErrors.Surface, String)] = [
        400: (.status, "INVALID_ARGUMENT"), 401: (.status, "UNAUTHENTICATED"), 403: (.instance, "PERMISSION_DENIED"),
        404: (.instance, "NOT_FOUND"), 429: (.instance, "RESOURCE_EXHAUSTED"),
    ]

    /// Reads `{"error": "invalid_grant", "error_description": "..."}`. A metadata server answers with a page instead.
    private func tokenError(in response: WireResponse) -> PushError? {
        guard let reply = try? response.json(), let text = reply["error"]?.stringValue else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let code = VendorCode(text)
        let detail = VendorDetail(
            code: code, message: reply["error_description"]?.stringValue, httpStatus: response.status,
            body: response.body)
        let row = FCMErrors.rows.row(code, on: FCMErrors.Surface.token.rawValue)
        return PushError(row, detail, of: "Google's token service", in: response)
    }
}

extension Feature {
    fileprivate var isAboutDevice: Bool { [.readTags, .addTags, .removeTags].contains(self) }
}

/// `{"error": {"code", "message", "status", "details": [...]}}`; the order of the details is not guaranteed.
private struct Envelope: Decodable {
    struct Failure: Decodable {
        var message: String?
        var status: String?
        private var details: LenientList<Detail>?

        private func all(_ type: String) -> [Detail] {
            (details?.items ?? []).filter { $0.type.hasSuffix(type) }
        }

        private var fcmCode: String? { all("google.firebase.fcm.v1.FcmError").lazy.compactMap(\.errorCode).first }

        private var reason: String? { all("google.rpc.ErrorInfo").lazy.compactMap(\.reason).first }

        func code(or status: String) -> (FCMErrors.Surface, VendorCode) {
            if let fcmCode { return (.send, VendorCode(fcmCode)) }
            // A reason without a row says less than the status does.
            if let reason, FCMErrors.rows.row(VendorCode(reason), on: FCMErrors.Surface.reason.rawValue) != nil {
                return (.reason, VendorCode(reason))
            }
            return (.status, VendorCode(status))
        }

        /// Whether Apple reports its token as dead. FCM may report this as a bad argument.
        var isDeadOnApple: Bool { appleErrors.contains { $0.statusCode == 410 || $0.reason == "Unregistered" } }

        /// Whether Apple reports a bad token. It does so for a good token of the other environment, too.
        var isBadOnApple: Bool { appleErrors.contains { $0.reason == "BadDeviceToken" } }

        private var appleErrors: [Detail] { all("google.firebase.fcm.v1.ApnsError") }

        /// The verdict on the target after the vendor refused a send.
        var verdict: TargetVerdict? {
            if isDeadOnApple || fcmCode == "UNREGISTERED" { return .dead() }
            if isBadOnApple { return .suspect }
            switch fcmCode {
            case "SENDER_ID_MISMATCH": return .suspect
            case "INVALID_ARGUMENT":
                let fields = all("google.rpc.BadRequest").flatMap { $0.fieldViolations ?? [] }.compactMap(\.field)
                return fields.contains("message.token") || fields.contains("message.fid") ? .dead() : nil
            // Devices of other platforms may be fine.
            case "THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR": return .isolated
            // The rate of one device or topic, unless the vendor says that it is the project's rate.
            case "QUOTA_EXCEEDED": return reason == "RATE_LIMIT_EXCEEDED" ? nil : .isolated
            default: return nil
            }
        }
    }

    struct Detail: Decodable {
        struct Violation: Decodable { var field: String? }

        var type: String
        var errorCode: String?
        var reason: String?
        var statusCode: Int?
        var fieldViolations: [Violation]?

        private enum CodingKeys: String, CodingKey {
            case type = "@type"
            case errorCode, reason, statusCode, fieldViolations
        }
    }

    var error: Failure
    var name: Lenient<String>?
}
