import Foundation
public import PushAdapter
public import Testing

/// A call of a vendor's documents, from `Fixtures/endpoints.json`: the request, and a response to it.
public struct DocumentedCall: Sendable, CustomTestStringConvertible {
    public let id: String
    public let method: String
    /// The whole address, or a path if the file has paths.
    public let url: String
    public let credential: CredentialScope
    /// The body of the request; nil for none.
    public let request: JSONValue?
    /// The body of the response. A text is the whole body.
    public let reply: JSONValue
    public let source: String
    public var testDescription: String { id }

    /// All calls of the file beside the folder of a test.
    public static func all(of test: String = #filePath) -> [DocumentedCall] {
        let folder = URL(filePath: test).deletingLastPathComponent().deletingLastPathComponent()
        guard let data = try? Data(contentsOf: folder.appending(path: "Fixtures/endpoints.json")) else { return [] }
        // The file is parsed as JSON values, which keep every digit of an id.
        return ((try? JSONValue(parsing: Array(data)))?.arrayValue ?? []).compactMap(DocumentedCall.init)
    }

    private init?(_ row: JSONValue) {
        guard let id = row["id"]?.stringValue, let url = (row["url"] ?? row["path"])?.stringValue,
            let reply = row["reply"], let source = row["source"]?.stringValue
        else { return nil }
        (self.id, self.url, self.reply, self.source) = (id, url, reply, source)
        method = row["method"]?.stringValue ?? "POST"
        credential =
            [CredentialScope.group, .account, .none].first { $0.name == row["credential"]?.stringValue } ?? .app
        if let body = row["request"], body != .null { request = body } else { request = .none }
    }
}

/// An exchange without its output, and its reading of a response as a text.
public struct MadeCall: Sendable {
    public let exchange: Exchange<String>

    /// Shows the output as a text.
    public init<Output>(_ made: Exchange<Output>) { exchange = made.map { "\($0)" } }

    /// Shows the output with all its parts.
    public init<Output>(dumping made: Exchange<Output>) {
        exchange = made.map { output in
            var text = ""
            dump(output, to: &text)
            return text
        }
    }
}

extension DocumentedCall {
    /// Expects an exchange to be the documented request, and to read texts in the documented response.
    public func check(_ made: MadeCall, of provider: some PushProvider, reading texts: [String]) throws {
        let (exchange, request) = (made.exchange, made.exchange.request)
        let address = try provider.dataCenter.address(of: request.service) + request.target()
        #expect(request.method.rawValue == method && address.hasSuffix(url), "\(request.method) \(address)")
        #expect(url.hasPrefix("/") || address == url)
        #expect(!source.isEmpty)
        if let expected = self.request {
            #expect(try JSONValue(parsing: Array(request.body.text.utf8)) == expected)
        } else if case .bytes = request.body {
            Issue.record("a body that the documents do not have")
        }
        let body = reply.stringValue.map { Array($0.utf8) } ?? JSONWriter.bytes(of: reply)
        let response = WireResponse(status: 200, body: body, receivedAt: Date(timeIntervalSince1970: 1_790_000_000))
        #expect(provider.diagnose(response, to: exchange.call) == nil)
        let output = try exchange.decode(response)
        for text in texts { #expect(output.contains(text), "\(output)") }
    }
}
