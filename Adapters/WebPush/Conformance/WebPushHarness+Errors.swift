import PushAdapter
public import PushConformance
public import PushSimulation

/// The documented errors of a service, and the statuses that every service may answer without a code.
extension WebPushHarness {
    private static let rows = (try? JSONValue(parsing: PackageResources.errors_json).arrayValue) ?? []

    public var documentedErrors: [DocumentedError] {
        let surfaces = service.surfaces.union(["status-default"])
        return Self.rows.compactMap { row in
            surfaces.contains(row["surface"]?.stringValue ?? "") ? error(row) : nil
        }
    }

    /// Nil for a row that comes with a success.
    private func error(_ row: JSONValue) -> DocumentedError? {
        guard let code = row["code"]?.stringValue, let status = row["http"]?.intValue else { return nil }
        // Google's text that came and went by itself is in no other row: a refusal of the credentials, and temporary.
        guard code != "invalid push subscription endpoint" else { return nil }
        let isPassing = row["retry"]?.boolValue
        guard code != "null", code != String(status) else {
            // A service has its own row for a bare status, or every service has.
            let isOwn = row["surface"] != "status-default" || !hasOwnRow(of: status)
            guard isOwn else { return nil }
            let body = code == "null" ? Self.body(status, errno: .null, "") : []
            return DocumentedError(
                status: status, body: body, operation: .send, isPassing: isPassing, isRefusal: false)
        }
        var error = DocumentedError(code: VendorCode(code), status: status, operation: .send, isPassing: isPassing)
        error.isRefusal = row["isRefusal"]?.boolValue ?? false
        return error
    }

    private func hasOwnRow(of status: Int) -> Bool {
        Self.rows.contains { row in
            service.surfaces.contains(row["surface"]?.stringValue ?? "") && row["code"] == .string(String(status))
        }
    }

    /// An error in the form of the service.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let (status, code) = (error.status ?? 400, error.code.rawValue)
        var answer = SimulatedResponse(status: status)
        switch service {
        case .mozilla:
            answer.body =
                Int(code).map { Self.body(status, errno: JSONValue(integerLiteral: $0), error.message) }
                ?? Self.body(status, errno: 109, code)
        case .google: answer.body = Array(code.utf8)
        case .apple: answer.body = JSONWriter.bytes(of: ["reason": .string(code)])
        case .microsoft:
            let name = code.contains(" ") ? "X-WNS-Error-Description" : "X-WNS-Status"
            if let name = HTTPField.Name(name) { answer.headers[name] = code }
        case .ntfy:
            answer.body = JSONWriter.bytes(of: [
                "code": JSONValue(integerLiteral: Int(code) ?? 0), "http": JSONValue(integerLiteral: status),
                "error": .string(error.message), "link": "",
            ])
        }
        return answer
    }

    private static func body(_ status: Int, errno: JSONValue, _ message: String) -> [UInt8] {
        JSONWriter.bytes(of: [
            "code": JSONValue(integerLiteral: status), "errno": errno, "error": "Error", "message": .string(message),
            "more_info": "",
        ])
    }
}
