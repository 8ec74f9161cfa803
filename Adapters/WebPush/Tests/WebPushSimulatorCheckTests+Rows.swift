import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import WebPushSimulator

/// The changes of a good push, and the answers to them.
extension WebPushSimulatorCheckTests {
    private static let good = ["201", "201", "201", "201", "201", "200"]
    private static let token = ["403", "401 109", "403", "403 BadJwtToken", "403", "200"]
    private static let publicKey = ["403", "401 109", "403", "403 BadVapidPublicKey", "403", "200"]
    private static let scheme = ["403", "401 109", "403", "403 BadAuthorizationHeader", "403", "200"]
    private static let audience = [
        "403", "401 109", "403 aud claim in the token MUST include the origin of the push resource URL",
        "403 BadJwtToken", "403", "200",
    ]
    private static let life = [
        "403", "401 109", "403 exp claim MUST NOT be more than 24 hours from the time of the request",
        "403 BadJwtToken", "403", "200",
    ]
    private static let mismatch = [
        "403", "401 109",
        "403 the VAPID credentials in the authorization header do not correspond to the credentials used to create "
            + "the subscriptions.", "400 VapidPkHashMismatch", "403", "200",
    ]
    private static let subject = ["201", "201", "201", "403 BadJwtToken", "201", "200"]
    private static let ttl = ["400", "400 111", "400", "400 BadTtl", "400", "200"]
    private static let topic = ["400", "400 113", "400", "400 BadWebPushTopic", "201", "200"]
    private static let encoding = ["400", "400 110", "400", "400 BadWebPushRequest", "201", "200"]
    private static let body = ["400", "201", "400", "400 BadWebPushRequest", "201", "200"]

    static let rows: [Row] =
        [
            Row("nothing", good) { _, _ in },
            Row("S1: GET", ["405", "404", "404 \(lost)", "405 MethodNotAllowed", "405", "507 50701"]) {
                $1.method = .get
            },
            Row("S1: another path", ["404", "404", "404 \(lost)", "404 BadPath", "404", "507 50701"]) {
                $1.target = "/nowhere/at/all"
            },
            Row("S2: chunks", ["201", "201", "201", "201", "411", "200"]) { $1["transfer-encoding"] = "chunked" },
            Row(
                "S3: no Authorization",
                [
                    "401", "401 109", "401 authorization header must be specified", "403 BadAuthorizationHeader", "401",
                    "200",
                ]
            ) { $1.authorization = "" },
            Row("S4: another scheme", scheme) { $1.authorization = "Basic YTpi" },
            Row("S4: no t", scheme) { $1.authorization = "vapid k=\(key($0))" },
            Row("S5: no k", publicKey) { $1.authorization = "vapid t=\(try $0.token())" },
            Row("S5: half a k", publicKey) { $1.authorization = "vapid t=\(try $0.token()),k=\(key($0).prefix(43))" },
            Row("S5: k off the curve", publicKey) { world, push in
                var bytes = try world.key.verifyingKey.p256.bytes
                bytes[64] ^= 1
                push.authorization = "vapid t=\(try world.token()),k=\(Base64URL.encode(bytes))"
            },
            Row("S6: no token", token) { $1.authorization = "vapid t=a.b.c,k=\(key($0))" },
            Row("S6: two parts", token) { world, push in
                let parts = try world.token().split(separator: ".")
                push.authorization = "vapid t=\(parts[0]).\(parts[1]),k=\(key(world))"
            },
            Row("S6: signed by another key", token) {
                $1.authorization = "vapid t=\(try $0.token(by: .generate(.es256))),k=\(key($0))"
            },
            Row("S6: an RSA signature", token) {
                $1.authorization = "vapid t=\(try $0.token(by: .generate(.rs256))),k=\(key($0))"
            },
            Row("S7: another audience", audience) { $1.claims = ["aud": "https://push.example.com"] },
            Row("S7: the audience with a path", audience) {
                $1.claims = ["aud": .string(InProcessTransport.origin + "/")]
            },
            Row("S7: no audience", audience) { $1.claims = ["aud": .null] },
            Row("S8: over", token) { $1.claims = ["exp": JSONValue(integerLiteral: $0.seconds)] },
            Row("S8: one second left", good) { $1.claims = ["exp": JSONValue(integerLiteral: $0.seconds + 1)] },
            Row("S8: a day", good) { $1.claims = ["exp": JSONValue(integerLiteral: $0.seconds + 86_400)] },
            Row("S8: a day and a second", life) { $1.claims = ["exp": JSONValue(integerLiteral: $0.seconds + 86_401)] },
            Row("S8: no end", token) { $1.claims = ["exp": .null] },
            Row("S8: an end as text", token) { $1.claims = ["exp": .string("\($0.seconds + 60)")] },
            Row("S11: the key of another server", mismatch) {
                $1.authorization = try $0.authorization(by: .generate(.es256))
            },
            Row(
                "S14: 4,097 bytes",
                [
                    "413", "413 104", "400 binary data passed in the request must be less than 4096 bytes",
                    "413 PayloadTooLarge", "201", "200",
                ]
            ) { $1.body += [UInt8](repeating: 0, count: 4097 - $1.body.count) },
            Row(
                "S14: 5,001 bytes",
                [
                    "413", "413 104", "400 binary data passed in the request must be less than 4096 bytes",
                    "413 PayloadTooLarge", "413", "200",
                ]
            ) { $1.body += [UInt8](repeating: 0, count: 5001 - $1.body.count) },
            Row("S14: 4,096 bytes", good) { $1.body = try $0.push(World.text, padding: 3993 - World.text.count).body },
            Row("S15: no TTL", ttl) { $1["ttl"] = nil },
            Row("S15: a TTL with a fraction", ttl) { $1["ttl"] = "1.5" },
            Row("S15: a word as TTL", ttl) { $1["ttl"] = "day" },
            Row("S15: a negative TTL", ["400", "400 114", "400", "400 BadTtl", "400", "200"]) { $1["ttl"] = "-1" },
            Row(
                "S15: a TTL of 0",
                ["201", "201", "201", "201", "400 Ttl value conflicts with X-WNS-Cache-Policy.", "200"]
            ) { $1["ttl"] = "0" },
            Row("S15: a TTL of 0 without a cache", good) {
                $1["ttl"] = "0"
                $1["x-wns-cache-policy"] = "no-cache"
            },
            Row("S16: a TTL beyond 64 bits", good) { $1["ttl"] = "99999999999999999999" },
            Row("S17: 33 characters", topic) { $1["topic"] = String(repeating: "t", count: 33) },
            Row("S17: 32 characters", good) { $1["topic"] = String(repeating: "-", count: 30) + "_A" },
            Row("S17: a dot", topic) { $1["topic"] = "a.b" },
            Row("S17: nothing", topic) { $1["topic"] = "" },
            Row("S17: padding", ["400", "201", "400", "400 BadWebPushTopic", "201", "200"]) { $1["topic"] = "abc=" },
            Row("S18: an unknown urgency", ["201", "201", "201", "400 BadUrgency", "201", "200"]) {
                $1["urgency"] = "now"
            },
            Row("S18: two urgencies", ["400", "201", "201", "400 BadUrgency", "201", "200"]) {
                $1.fields += [("urgency", "low"), ("urgency", "high")]
            },
            Row("S18: two urgencies in a line", ["400", "201", "201", "400 BadUrgency", "201", "200"]) {
                $1["urgency"] = "low, high"
            },
            Row("S18: a known urgency", good) { $1["urgency"] = "very-low" },
            Row("S19: no encoding", encoding) { $1["content-encoding"] = nil },
            Row("S19: another encoding", encoding) { $1["content-encoding"] = "gzip" },
            Row("S19: two encodings", encoding) { $1.fields.append(("content-encoding", "aes128gcm")) },
            Row("S19: the older encoding", ["400", "201", "201", "400 BadWebPushRequest", "201", "200"]) {
                $1["content-encoding"] = "aesgcm"
            },
            Row("S19: fields of the older encoding", ["201", "400 110", "201", "201", "201", "200"]) {
                $1["encryption"] = "salt=DGv6ra1nlYgDCS1FRnbzlw"
            },
            Row("S19: no body, no encoding", good) {
                $1.body = []
                $1["content-encoding"] = nil
            },
            Row("S19: 102 bytes", body) { $1.body = Array($1.body.prefix(102)) },
            Row("S19: a record size of 17", body) { $1.body.replaceSubrange(16..<20, with: [0, 0, 0, 17]) },
            Row("S19: a record longer than its size", body) { $1.body.replaceSubrange(16..<20, with: [0, 0, 0, 90]) },
            Row("S19: a keyid off the curve", body) { $1.body[85] ^= 1 },
            Row("S19: a short keyid", body) { $1.body[20] = 33 },
        ]
        + [
            "mailto:x@localhost", "mailto:x@push.local", "mailto:x@push.invalid", "mailto:x@push.devhost",
            "mailto: <a@news.example.com>", "mailto:news", "https://localhost/contact", "http://news.example.com",
            "ops",
            "mailto:a@.com",
        ].map { contact in Row("S9: \(contact)", subject) { $1.claims = ["sub": .string(contact)] } }
        + [
            Row("S9: no contact", subject) { $1.claims = ["sub": .null] },
            Row("S9: an address of the web", good) { $1.claims = ["sub": "https://news.example.com/contact"] },
        ]

    private static let lost = "A valid push subscription endpoint should be specified in the URL as such: /wp/"

    private static func key(_ world: World) -> String {
        Base64URL.encode((try? world.key.verifyingKey.p256.bytes) ?? [])
    }
}
