import FoundationEssentials
import PushAdapter
import PushPages
import PushPhone
import PushSimulation

/// A request on the page, its outcome, and the meaning of the vendor's code. Without credentials.
struct RequestRow: Sendable {
    let entry: RequestJournal.Entry
    let verdicts: @Sendable (_ vendorCode: String) -> String?
    let hiding: InspectorRedaction
    let phones: [VirtualPhone]

    init(
        _ entry: RequestJournal.Entry, verdicts: @escaping @Sendable (_ vendorCode: String) -> String?,
        hiding: InspectorRedaction, phones: [VirtualPhone]
    ) {
        (self.entry, self.verdicts, self.phones) = (entry, verdicts, phones)
        self.hiding = hiding.within(entry.request)
    }

    /// The line of the request.
    var json: JSONValue { .object(fields) }

    /// The line, and the names of header fields and the bodies.
    var details: JSONValue {
        var details = fields
        let (request, response) = (entry.request, entry.response)
        details["requestHeaders"] = Self.names(request.headers)
        details["requestBody"] = .string(hiding.body(request.body, type: request.headers[.contentType]))
        details["responseHeaders"] = response.map { Self.names($0.headers) } ?? .null
        details["responseBody"] = .init(
            text: response.map { hiding.body($0.body, type: $0.headers[.contentType]) })
        if let message = response.flatMap({ Self.message(in: $0.body) }) {
            details["message"] = .string(hiding.text(message))
            details["phones"] = .array(phones.filter { $0.has(message) }.map { .string(hiding.id($0.id)) })
        }
        return .object(details)
    }

    private var fields: [String: JSONValue] {
        let code = entry.response.flatMap { Self.code(in: $0.body) }
        let isRefusal = entry.fault != nil || code != nil || (entry.response?.status ?? 0) >= 400
        return [
            "number": JSONValue(entry.number), "time": entry.date.json,
            "method": .string(entry.request.method.rawValue),
            "path": .string(hiding.target(of: entry.request)),
            "audience": .init(text: RequestAudience(entry.request, hiding)?.words),
            "status": JSONValue(entry.response?.status),
            "code": .init(text: code.map(hiding.text)), "verdict": .init(text: code.flatMap { verdicts($0) }),
            "fault": .init(text: entry.fault?.words), "isRefusal": .bool(isRefusal),
        ]
    }

    private static func names(_ headers: HTTPFields) -> JSONValue {
        .array(headers.map { .string($0.name.rawName) })
    }

    /// The id of the message that a response accepts, in any of the vendors' places; nil if there is none.
    private static func message(in body: [UInt8]) -> String? {
        guard body.count <= InspectorRedaction.longestBody, let json = try? JSONValue(parsing: body) else { return nil }
        // Huawei's refusals have such an id too.
        let isAccepted = accepting.contains(json["code"]?.identifier ?? "")
        let names = ["msg_id", "push_id", "name"] + (isAccepted ? ["requestId"] : [])
        let id = names.lazy.compactMap { json[$0]?.identifier }.first
        // FCM writes the message as a resource of its project.
        return id?.split(separator: "/").last.map(String.init)
    }

    // MARK: The vendor's code

    /// Huawei's codes of a message accepted for all devices, and for some.
    private static let accepting = ["80000000", "80100000"]

    /// The vendor's error code in a response, in any of the vendors' places; nil if there is none, or if it means
    /// success.
    private static func code(in body: [UInt8]) -> String? {
        guard body.count <= InspectorRedaction.longestBody, let json = try? JSONValue(parsing: body) else { return nil }
        let error = json["error"]
        var candidates: [JSONValue?] = (error?["details"]?.arrayValue ?? []).map { $0["errorCode"] }
        // Mozilla's push service repeats the status in `code`.
        candidates += [error?["status"], error?["code"], json["errno"], json["reason"]]
        candidates += [json["code"], json["ret_code"], error]
        let codes = candidates.compactMap { $0?.identifier }
        return codes.first { !(["0", "", "200"] + accepting).contains($0) }
    }
}
