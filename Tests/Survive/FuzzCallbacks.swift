import FoundationEssentials
import PushAdapter
import PushCrypto
import PushEngageLab
import PushJPush
import PushWebhooks

extension Fuzz {
    private static let secret = Secret("51c3e7cret51c3e7cret0000")
    private static let key = "0123456789abcdef01234567"
    private static let numbers = Locked(0)

    private static let events =
        "{\"total\":1,\"rows\":[{\"message_id\":\"1\",\"from\":\"app\",\"server\":\"push\",\"to\":\"\(Unit.make(2))\","
        + "\"custom_args\":{\"a\":1},\"itime\":1666165485,\"status\":{\"message_status\":\"sent\",\"status_data\":{}}}]}"
    private static let receipt =
        "[{\"msg_id\":\"1\",\"registration_id\":\"\(Unit.make(3))\",\"callback_type\":1,\"sent_time\":1666165485}]"

    /// The signed values of an EngageLab callback.
    private struct Stamp: Equatable {
        var time = Int(Date().timeIntervalSince1970)
        var nonce = numbers.withLock { number in
            number += 1
            return number
        }
        var user = "u"

        func signature(_ secret: Secret) -> String {
            Digests.hex(Digests.hmacSHA256(Array("\(time)\(nonce)\(user)".utf8), key: secret))
        }

        func header(_ signature: String) -> String {
            "timestamp=\(time);nonce=\(nonce);username=\(user);signature=\(signature)"
        }
    }

    /// A vendor's callbacks: broken bodies with valid credentials, and any bodies with broken or forged credentials.
    static var calls: [Reader] {
        guard let engageLab = try? EngageLabCallbacks(username: "u", secret: secret),
            let jpush = try? JPushReceipts(appKey: key, masterSecret: secret),
            let field = HTTPField.Name("X-CALLBACK-ID")
        else { return [] }
        func receive(_ header: String, _ body: [UInt8]) async throws {
            _ = try await engageLab.receive(WebhookCall(headers: [field: header], body: body), at: Date())
        }
        /// Whether the receiver refuses the callback.
        func refuses(_ header: String, _ body: [UInt8]) async -> Bool {
            do { try await receive(header, body) } catch { return true }
            return false
        }
        let basic = "Basic " + Data("\(key):51c3e7cret51c3e7cret0000".utf8).base64EncodedString()
        return [
            Reader(name: "engagelab callbacks", seeds: seeds(events, "{\"echostr\":\"x\"}")) { bytes in
                let stamp = Stamp()
                let header = stamp.header(stamp.signature(secret))
                try await receive(header, bytes)
                guard await refuses(header, bytes) else { throw Breach(what: "a callback was taken twice") }
            },
            Reader(name: "engagelab forgeries", seeds: seeds(events, "[]", "{\"echostr\":\"x\"}")) { bytes in
                let stamp = Stamp()
                var other = stamp
                let header: String
                switch stamp.nonce % 5 {
                case 0: header = stamp.header(stamp.signature(Secret("51c3e7cret51c3e7cret0001")))
                case 1:
                    other.nonce += 1_000_000_000
                    header = other.header(stamp.signature(secret))
                case 2:
                    other.time -= 400
                    header = other.header(other.signature(secret))
                case 3:
                    other.user = "v"
                    header = other.header(other.signature(secret))
                default: header = stamp.header("")
                }
                guard await refuses(header, bytes) else {
                    throw Breach(what: "a forged callback was taken: \(stamp.nonce % 5)")
                }
            },
            Reader(
                name: "engagelab signatures", seeds: seeds("timestamp=TIME;nonce=NONCE;username=u;signature=CODE")
            ) { bytes in
                let stamp = Stamp()
                let code = stamp.signature(secret)
                let header = String(decoding: bytes, as: UTF8.self).replacing("TIME", with: "\(stamp.time)")
                    .replacing("NONCE", with: "\(stamp.nonce)").replacing("CODE", with: code)
                guard !(await refuses(header, Array(events.utf8))) else { return }
                // Additional parts are not signed. A field drops spaces at its ends, and has spaces in place of bytes
                // that it cannot contain.
                let taken = HTTPFields([HTTPField(name: field, value: header)])[field] ?? ""
                func parts(_ text: String) -> [String] {
                    text.filter { $0 != " " }.split(separator: ";").map(String.init)
                }
                for part in parts(stamp.header(code)) where !parts(taken).contains(part) {
                    throw Breach(what: "a callback with another \(part.prefix { $0 != "=" }) was taken: \(taken)")
                }
            },
            Reader(name: "jpush receipts", seeds: seeds(receipt)) { bytes in
                _ = try jpush.receive(WebhookCall(headers: [.authorization: basic], body: bytes), at: Date())
            },
            Reader(name: "jpush credentials", seeds: seeds(basic)) { bytes in
                let headers: HTTPFields = [.authorization: String(decoding: bytes, as: UTF8.self)]
                do throws(WebhookRefusal) {
                    _ = try jpush.receive(WebhookCall(headers: headers, body: Array(receipt.utf8)), at: Date())
                } catch { return }
                // Spaces around a field's value are not part of it.
                guard headers[.authorization] == basic else { throw Breach(what: "other credentials were taken") }
            },
        ]
    }
}
