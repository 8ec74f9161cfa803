public import FoundationEssentials
public import HTTPTypes

/// A vendor's HTTP response.
public struct WireResponse: Sendable {
    /// The HTTP status, successful or not.
    public var status: Int
    /// The header fields as received.
    public var headers: HTTPFields
    /// The whole body, no longer than the transport allows.
    public var body: [UInt8]
    /// When the client had the whole response; adapters have no clock of their own.
    public var receivedAt: Date
    /// The transport's number of the connection that carried it; nil if the transport does not count them.
    public var connection: Int?

    /// A response as received; the client sets `receivedAt`.
    public init(status: Int, headers: HTTPFields = [:], body: [UInt8] = [], receivedAt: Date = .distantPast) {
        self.status = status
        self.headers = headers
        self.body = body
        self.receivedAt = receivedAt
    }

    /// Whether the status is one of 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// Reads the body as JSON into a type.
    ///
    /// Throws `malformedResponse`, with effect unknown, for a body that does not fit the type or nests more than 32
    /// levels deep.
    public func json<Value: Decodable>(_ type: Value.Type) throws(PushError) -> Value {
        do {
            try JSONReader.checkDepth(of: body)
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw unreadable(error)
        }
    }

    /// Reads the body as any JSON value; throws like `json(_:)`.
    public func json() throws(PushError) -> JSONValue {
        do throws(PushError) {
            return try JSONValue(parsing: body)
        } catch {
            throw unreadable(error)
        }
    }

    /// Whether the body may have one of these keys, at any depth: a quick check, so that most successes are not also
    /// parsed as errors. It returns true for a string equal to a key, and for any body with escapes.
    public func mayHave(_ keys: String...) -> Bool {
        body.withUnsafeBytes { bytes in
            bytes.indices.contains { index in
                guard bytes[index] == 0x22 else { return bytes[index] == 0x5C }
                let rest = bytes[(index + 1)...]
                return keys.contains { rest.starts(with: $0.utf8) && rest.dropFirst($0.utf8.count).first == 0x22 }
            }
        }
    }

    private func unreadable(_ error: any Error) -> PushError {
        PushError(
            .malformedResponse, "the vendor's response cannot be read: \(JSONValue.reason(for: error))",
            retry: .backoff, effect: .unknown, vendor: VendorDetail(httpStatus: status, body: body))
    }
}

extension WireResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "HTTP \(status), \(body.count) bytes" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
