public import Foundation
public import PushAdapter
public import PushSimulation
public import PushWebhooks
public import Testing

// What the tests of several vendors write and read.

extension Message {
    /// A message from its JSON form, with a vendor's options.
    public init(_ json: JSONValue, options: JSONValue?, of vendor: String) throws {
        var fields: [String: JSONValue] = if case .object(let fields) = json { fields } else { [:] }
        if let options { fields["options"] = [vendor: options] }
        self = try WireResponse(status: 200, body: JSONWriter.bytes(of: .object(fields))).json(Message.self)
    }
}

/// A message, and the fields that it adds to those of a plain notification; null or nil removes one.
public struct EncodingCase<Value: Sendable>: Sendable, CustomTestStringConvertible {
    public var name: String
    public var message: JSONValue
    public var options: JSONValue?
    public var fields: [String: Value]
    public var testDescription: String { name }

    public init(name: String, message: JSONValue, options: JSONValue? = nil, fields: [String: Value]) {
        (self.name, self.message, self.options, self.fields) = (name, message, options, fields)
    }
}

extension WireRequest {
    /// The fields of a form, decoded by Foundation; nil for another body, and for a form with a field twice.
    public var form: [String: String]? {
        guard case .bytes(let bytes, "application/x-www-form-urlencoded;charset=UTF-8") = body else { return nil }
        var components = URLComponents()
        components.percentEncodedQuery = String(decoding: bytes, as: UTF8.self)
        let items = components.queryItems ?? []
        let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        return fields.count == items.count ? fields : nil
    }

    /// The body as JSON; null for a body that is no bytes.
    public func json() throws -> JSONValue {
        guard case .bytes(let bytes, _) = body else { return .null }
        return try JSONValue(parsing: bytes)
    }
}

extension SimulatedResponse {
    /// The body as JSON; null for any other body.
    public var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}

extension WebhookReceiver {
    /// The status with which the receiver refuses a call; nil if it does not.
    public func refusal(of call: WebhookCall, at now: Date) async -> Int? {
        do throws(WebhookRefusal) {
            _ = try await receive(call, at: now)
            return nil
        } catch {
            return error.status
        }
    }
}
