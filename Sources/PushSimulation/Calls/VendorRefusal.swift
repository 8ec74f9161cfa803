public import PushAdapter

/// One of a vendor's errors: an HTTP status, the vendor's code and its sentence.
///
/// A simulator names its vendor's errors in an extension, and writes there how a response contains one.
public struct VendorRefusal: Error, Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The vendor's code.
    public var code: Int
    /// The vendor's sentence.
    public var text: String
    /// Further fields of the response, such as an id that was allocated although nothing was sent.
    public var fields: [String: JSONValue]

    /// An error with this status, code and sentence.
    public init(_ status: Int, _ code: Int, _ text: String, fields: [String: JSONValue] = [:]) {
        self.status = status
        self.code = code
        self.text = text
        self.fields = fields
    }

    /// An object with `code` and `message`, as many vendors write an error.
    public var detail: JSONValue { ["code": JSONValue(code), "message": .string(text)] }
}
