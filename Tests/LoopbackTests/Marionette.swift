import Foundation
import NIOCore
import NIOPosix
import PushAdapter

/// Firefox by remote control, over a socket of this machine: a user's taps and clicks.
struct Marionette {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Firefox listens, and lets its own windows be used as well.
    static let arguments = ["--headless", "--marionette", "--remote-allow-system-access"]

    private var parts: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let writer: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var unread = ByteBuffer()
    private var number = 0

    /// Connects to the Firefox of a profile, and disconnects afterwards. Firefox keeps running.
    static func run(profile: String, _ body: (inout Marionette) async throws -> Void) async throws {
        let port = try await port(in: profile)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var browser = Marionette(parts: inbound.makeAsyncIterator(), writer: outbound)
            _ = try await browser.read()
            try await browser.call("WebDriver:NewSession", ["capabilities": [:]])
            try await body(&browser)
        }
    }

    /// The port, which Firefox writes into its profile as soon as it listens.
    private static func port(in profile: String) async throws -> Int {
        while true {
            let text = try? String(contentsOfFile: profile + "/MarionetteActivePort", encoding: .utf8)
            if let port = text.flatMap({ Int($0.filter(\.isNumber)) }) { return port }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private init(
        parts: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, writer: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        (self.parts, self.writer) = (parts, writer)
    }

    // MARK: The user

    /// Taps the notification on the screen, as soon as it is there.
    mutating func tapNotification() async throws { try await press("#alertBox") }

    /// Closes the notification on the screen, as soon as it is there.
    mutating func closeNotification() async throws { try await press(".close-icon") }

    /// Clicks an element of the page.
    mutating func click(_ selector: String) async throws {
        let found = try await call("WebDriver:FindElement", ["using": "css selector", "value": .string(selector)])
        guard case .object(let names) = found, let id = names.first?.value else {
            throw Failure(description: "there is no \(selector)")
        }
        try await call("WebDriver:ElementClick", ["id": id])
    }

    private mutating func press(_ selector: String) async throws {
        let script = """
            const shown = Services.wm.getMostRecentWindow("alert:alert");
            const target = shown?.document.readyState === "complete" && shown.document.querySelector("\(selector)");
            if (target) target.click();
            return Boolean(target);
            """
        try await call("Marionette:SetContext", ["value": "chrome"])
        while try await call("WebDriver:ExecuteScript", ["script": .string(script), "args": []]) != true {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await call("Marionette:SetContext", ["value": "content"])
    }

    // MARK: The protocol

    @discardableResult
    private mutating func call(_ command: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        number += 1
        let text = JSONWriter.bytes(of: [0, JSONValue(number), .string(command), parameters])
        try await writer.write(ByteBuffer(bytes: Array("\(text.count):".utf8) + text))
        let answer = try await read().arrayValue ?? []
        guard answer.count == 4, answer[2] == .null else {
            throw Failure(description: "\(command): \(answer.count == 4 ? answer[2]["message"] ?? .null : .null)")
        }
        return answer[3]["value"] ?? .null
    }

    /// The next message: its length in digits, a colon, and JSON.
    private mutating func read() async throws -> JSONValue {
        while true {
            let view = unread.readableBytesView
            if let colon = view.firstIndex(of: UInt8(ascii: ":")),
                let count = Int(String(decoding: view[..<colon], as: UTF8.self)), view[colon...].count > count
            {
                unread.moveReaderIndex(forwardBy: view[...colon].count)
                return try JSONValue(parsing: unread.readBytes(length: count) ?? [])
            }
            guard var part = try await parts.next() else { throw Failure(description: "Firefox has ended") }
            unread.writeBuffer(&part)
        }
    }
}
