import Foundation
public import PushAdapter
public import Testing

/// Reads a file of an adapter's `Fixtures`, beside the folder of its tests. Nil if it is missing or does not match the
/// type.
public func fixture<Value: Decodable>(_ name: String, of test: String = #filePath) -> Value? {
    let folder = URL(filePath: test).deletingLastPathComponent().deletingLastPathComponent()
    let data = try? Data(contentsOf: folder.appending(path: "Fixtures/\(name)").standardizedFileURL)
    return data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
}

/// A vendor's documented error code, from `errors.json`.
public struct DocumentedRow: Decodable, Sendable {
    /// The family of the API.
    public var surface: String
    /// The vendor's code.
    public var code: VendorCode
    /// The HTTP status of the code; nil if the documents do not say.
    public var http: Int?
    /// Whether the same call can succeed later.
    public var retry: Bool
    /// The document.
    public var source: String
}

extension DocumentedRow {
    /// Expects the error that an adapter reads from a response with this code: one of its rows, with the documented
    /// retry. The code 0 is a success.
    public func check(
        _ error: PushError?, isUnclear: Bool, in rows: [VendorErrorRow], at place: SourceLocation = #_sourceLocation
    ) {
        guard code != 0 else {
            #expect(error == nil, sourceLocation: place)
            return
        }
        #expect(error?.vendor?.code == code && error?.retry.isAdvised == retry, "\(code)", sourceLocation: place)
        #expect(error?.effect == (isUnclear ? .unknown : .notApplied), "\(code)", sourceLocation: place)
        #expect(rows.contains { $0.code == code }, "\(code)", sourceLocation: place)
    }
}
