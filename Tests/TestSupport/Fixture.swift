import Foundation
public import PushAdapter

/// A file of an adapter's `Fixtures`, beside the folder of its tests; nil for one that is missing or does not fit.
public func fixture<Value: Decodable>(_ name: String, of test: String = #filePath) -> Value? {
    let folder = URL(filePath: test).deletingLastPathComponent().deletingLastPathComponent()
    let data = try? Data(contentsOf: folder.appending(path: "Fixtures/\(name)"))
    return data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
}

/// A documented error code of a vendor, as `errors.json` lists it.
public struct DocumentedRow: Decodable, Sendable {
    /// The family of the API.
    public var surface: String
    /// The vendor's code.
    public var code: VendorCode
    /// The HTTP status that comes with it; nil where the documents do not say.
    public var http: Int?
    /// Whether the same call can succeed later.
    public var retry: Bool
    /// The document.
    public var source: String
}
