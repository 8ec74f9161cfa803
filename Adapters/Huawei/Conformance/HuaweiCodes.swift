package import PushAdapter
package import PushConformance
package import PushSimulation

/// Errors in the form that both of the vendor's APIs write, for a harness.
package enum HuaweiCodes {
    /// The documented errors of the surfaces, each for the calls that can return it.
    package static func documented(_ file: [UInt8], _ calls: [String: [Feature]]) -> [DocumentedError] {
        let rows = (try? JSONValue(parsing: file).arrayValue) ?? []
        return rows.flatMap { row in
            (calls[row["surface"]?.stringValue ?? ""] ?? []).compactMap { error(row, $0) }
        }
    }

    /// Nil for the codes of a success, and for one that promises nothing.
    private static func error(_ row: JSONValue, _ operation: Feature) -> DocumentedError? {
        guard let code = row["code"]?.stringValue, !["80000000", "80100000", "80300028"].contains(code) else {
            return nil
        }
        let (status, isPassing) = (row["http"]?.intValue, row["retry"]?.boolValue)
        guard row["surface"] != "http" else {
            return status.map {
                DocumentedError(status: $0, operation: operation, isPassing: isPassing, isRefusal: $0 == 503)
            }
        }
        var error = DocumentedError(code: VendorCode(code), status: status, operation: operation, isPassing: isPassing)
        // Taken for a refusal, like a bare 503.
        error.isRefusal = code == "80600003"
        return error
    }

    package static func answer(_ error: DocumentedError) -> SimulatedResponse {
        let body = JSONWriter.bytes(of: [
            "code": .string(error.code.rawValue), "msg": .string(error.message), "requestId": "17645432101234567890",
        ])
        return SimulatedResponse(status: error.status ?? 400, body: error.body ?? body)
    }
}
