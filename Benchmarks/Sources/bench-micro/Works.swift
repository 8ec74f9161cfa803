import FoundationEssentials
import Load
import PushAdapter
import PushClient
import PushCrypto
import PushJPush

extension Work {
    static func all() throws -> [Work] {
        let jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
        return try encoding(jpush) + [try options(jpush), try decoding(jpush)] + (try reading(jpush))
            + validating(jpush.capabilities.limits)
            + [hmac, calling] + sending(jpush)
    }

    /// The same push, written by the adapter and by `JSONEncoder`.
    private static func encoding(_ jpush: JPush) throws -> [Work] {
        guard let encode = jpush.roles.send else { fatalError("the adapter does not send") }
        let context = SendContext(at: Date())
        return try [1, 1000].flatMap { count in
            let (message, audience) = (Sample.message, Audience.devices(Sample.devices(count)))
            let name = count == 1 ? "1 device" : "\(count) devices"
            let (twin, encoder) = (PushBody(devices: Sample.devices(count)), JSONEncoder())
            let bytes = try jpush.send(message, to: audience).request.body
            guard case .bytes(let bytes, _) = bytes,
                try JSONValue(parsing: bytes) == JSONValue(parsing: [UInt8](encoder.encode(twin)))
            else { fatalError("the two encoders do not write the same push") }
            return [
                Work("encode a push to \(name), JSONWriter") {
                    _ = try encode(message, context.now)(audience, context)
                },
                Work("encode a push to \(name), JSONEncoder") { _ = try encoder.encode(twin) },
            ]
        }
    }

    /// Options are kept as the vendor's JSON and checked each time they are used.
    private static func options(_ jpush: JPush) throws -> Work {
        var options = JPushOptions()
        options.sendNumber = 4711
        var message = Sample.message
        try message.set(options)
        let (optioned, audience) = (message, Audience.devices(Sample.devices(1)))
        guard let encode = jpush.roles.send else { fatalError("the adapter does not send") }
        let context = SendContext(at: Date())
        return Work("encode a push with an option of the vendor") {
            _ = try encode(optioned, context.now)(audience, context)
        }
    }

    private static func decoding(_ jpush: JPush) throws -> Work {
        let response = WireResponse(status: 200, body: Array(Sample.reply.utf8))
        let push = try jpush.send(Sample.message, to: .everyone)
        return Work("decode a reply") {
            precondition(jpush.diagnose(response, to: push.call) == nil)
            _ = try push.decode(response)
        }
    }

    /// Responses of a hostile server, at a sixteenth of the body limit and at the limit: sixteen times as much should
    /// take sixteen times as long. A refused response stops early.
    private static func reading(_ jpush: JPush) throws -> [Work] {
        let device = Sample.devices(1)[0]
        guard let write = try jpush.roles.tags.add?(["a"], device), let read = try jpush.roles.tags.read?(device) else {
            throw PushError(.unsupported, "JPush no longer has calls for tags")
        }
        let parts: [(name: String, open: String, part: String, close: String)] = [
            ("lists in lists", "[", "[[[[1]]]],", "1]"), ("objects", "[", "{\"a\":{\"b\":null}},", "1]"),
            ("brackets only", "", "[", ""), ("one number", "", "9", ""), ("escapes", "\"", "\\u00e9", "\""),
            ("tags", "{\"alias\":null,\"mobile\":null,\"tags\":[", "\"t\",", "\"t\"]}"),
            ("numbers for tags", "{\"tags\":[", "7,", "7]}"),
        ]
        return parts.flatMap { name, open, part, close in
            [64, 1024].map { size in
                let count = (size << 10) / part.utf8.count
                let body = Array((open + String(repeating: part, count: count) + close).utf8)
                let response = WireResponse(status: 200, body: body)
                return Work("read \(size) KiB of \(name)") {
                    let exchange = name.hasSuffix("tags") ? nil : write
                    _ = jpush.diagnose(response, to: read.call)
                    if let exchange { _ = try? exchange.decode(response) } else { _ = try? read.decode(response) }
                }
            }
        }
    }

    private static func validating(_ limits: Limits) -> [Work] {
        let texts = [("ASCII", "a_tag_of_forty_bytes_in_plain_ascii_"), ("CJK", "标签由汉字组成共四十字节")]
        return texts.map { name, text in
            let tags = Set((1000..<2000).map { Tag("\(text)\($0)") })
            precondition(tags.allSatisfy { $0.rawValue.utf8.count == 40 })
            return Work("validate 1,000 tags, \(name)") { try limits.check(.tags(tags), of: JPush.id) }
        }
    }

    private static var hmac: Work {
        let (bytes, key) = ([UInt8](repeating: 0x61, count: 600), Secret("a key of thirty-two bytes, or so"))
        return Work("HMAC-SHA256 of 600 bytes") { _ = Digests.hmacSHA256(bytes, key: key) }
    }

    /// Guard, retry, quota, attempt and their bookkeeping, with nothing to encode, sign, send or decode.
    private static var calling: Work {
        let idle = IdleProvider()
        let client = PushClient(idle, transport: IdleTransport())
        let exchange = idle.exchange
        return Work("a call through all layers") { _ = try await client.run(exchange) }
    }

    /// Everything that a send does, with a vendor in memory that accepts at once.
    private static func sending(_ jpush: JPush) -> [Work] {
        var jpush = jpush
        jpush.capabilities = jpush.capabilities.unmetered
        var settings = ClientConfiguration()
        settings.keysPerMint = 1000
        let client = PushClient(jpush, transport: InstantTransport(), configuration: settings)
        return [1, 1000].map { count in
            let (message, audience) = (Sample.message, Audience.devices(Sample.devices(count)))
            return Work("send to \(count == 1 ? "1 device" : "\(count) devices"), without the network") {
                _ = try await client.send(message, to: audience)
            }
        }
    }
}
