import FoundationEssentials
import PushAdapter
import PushCrypto
import PushHarmony
import PushHuawei
import PushWebhooks

extension Fuzz {
    private static let secret = Secret("51c3e7cret51c3e7cret0000")
    private static let statuses =
        #"{"statuses":[{"token":"\#(Unit.make(4))","requestId":"17","pushType":0,"deliveryStatus":{"result":2,"#
        + #""timestamp":1795132801500}},{"token":"\#(Unit.make(5))","status":0,"timestamp":1795132801}]}"#

    /// Responses to both of Huawei's vendors, and their receipts.
    static var huawei: [Reader] { huaweiAnswers + receipts }

    private static var huaweiAnswers: [Reader] {
        let (unit, message) = (Unit.make(1), Message(custom: CustomMessage(content: "c")))
        let devices: [DeviceID] = [DeviceID(unit), DeviceID(Unit.make(2))]
        guard let key = try? SigningKey.generate(.ps256).privateKey,
            let huawei = try? Huawei(clientID: "1042", clientSecret: secret),
            let harmony = try? Harmony(
                HuaweiServiceAccount(
                    json: Secret(
                        JSONWriter.bytes(of: [
                            "project_id": "survive", "key_id": "k1", "sub_account": "survive",
                            "private_key": .string(key.withBytes { String(decoding: $0, as: UTF8.self) }),
                        ]))))
        else { return [] }
        let done = HostileVendor.huawei("80000000", "Success")
        func refused(_ code: String, _ text: String) -> String { HostileVendor.huawei(code, text) }
        let illegal = #"{\"success\":1,\"failure\":1,\"illegalTokens\":{\"tokenFormatError\":[\"\#(unit)\"]}}"#
        let tokens = #"{\"success\":1,\"failure\":1,\"illegal_tokens\":[\"\#(unit)\"]}"#
        let readers = [
            reader(
                "harmony send", harmony, try? harmony.send(message, to: .devices(devices)), done,
                refused("80100000", illegal), refused("80300007", illegal), refused("80100003", unit)),
            reader(
                "huawei send", huawei, try? huawei.send(message, to: .devices(devices)), done,
                refused("80100000", tokens), refused("80300007", tokens), refused("80300002", unit)),
            reader(
                "huawei tags", huawei, try? huawei.readTags(of: devices[0]),
                HostileVendor.huawei("80000000", "Success", #","topics":[{"name":"a","addDate":"2026-11-21"}]"#)),
            reader(
                "huawei members", huawei, try? huawei.changeMembers(of: "a", .add(devices)),
                HostileVendor.huawei("80000000", "Success", #","failureCount":1,"errors":[{"index":1,"reason":"x"}]"#)),
        ]
        return readers.compactMap { $0 }
    }

    /// The header field of a receipt, with its own nonce.
    private struct Stamp {
        var time = Int(Date().timeIntervalSince1970 * 1000)
        let nonce = UUID().uuidString

        func code(of user: String, _ secret: Secret) -> String {
            Data(Digests.hmacSHA256(Array("\(time)\(nonce)\(user)".utf8), key: secret)).base64EncodedString()
        }

        func header(_ code: String) -> String { "timestamp=\(time); nonce=\(nonce); value=\(code)" }
    }

    /// Broken bodies with a valid signature, and any bodies with a broken or forged one.
    private static var receipts: [Reader] {
        guard let receiver = try? HuaweiReceipts(username: "u", key: secret),
            let field = HTTPField.Name("X-HUAWEI-CALLBACK-ID")
        else { return [] }
        func receive(_ header: String, _ body: [UInt8]) async throws {
            _ = try await receiver.receive(WebhookCall(headers: [field: header], body: body), at: Date())
        }
        func refuses(_ header: String, _ body: [UInt8]) async -> Bool {
            do { try await receive(header, body) } catch { return true }
            return false
        }
        return [
            Reader(name: "huawei receipts", seeds: seeds(statuses)) { bytes in
                let stamp = Stamp()
                let header = stamp.header(stamp.code(of: "u", secret))
                try await receive(header, bytes)
                guard await refuses(header, bytes) else { throw Breach(what: "a receipt was taken twice") }
            },
            Reader(name: "huawei forgeries", seeds: seeds(statuses, "{\"statuses\":[]}")) { bytes in
                let stamp = Stamp()
                var old = stamp
                old.time -= 400_000
                let forged = [
                    stamp.header(stamp.code(of: "u", Secret("51c3e7cret51c3e7cret0001"))),
                    stamp.header(stamp.code(of: "v", secret)), stamp.header(old.code(of: "u", secret)),
                    old.header(old.code(of: "u", secret)), stamp.header(""),
                ]
                for (number, header) in forged.enumerated() where !(await refuses(header, bytes)) {
                    throw Breach(what: "a forged receipt was taken: \(number)")
                }
            },
            Reader(name: "huawei signatures", seeds: seeds("timestamp=TIME; nonce=NONCE; value=CODE")) { bytes in
                let stamp = Stamp()
                let header = String(decoding: bytes, as: UTF8.self).replacing("TIME", with: "\(stamp.time)")
                    .replacing("NONCE", with: stamp.nonce).replacing("CODE", with: stamp.code(of: "u", secret))
                guard !(await refuses(header, Array(statuses.utf8))) else { return }
                let taken = HTTPFields([HTTPField(name: field, value: header)])[field] ?? ""
                let parts = taken.filter { $0 != " " }.split(separator: ";")
                guard parts.contains("timestamp=\(stamp.time)"), parts.contains("nonce=\(stamp.nonce)") else {
                    throw Breach(what: "a receipt with another time or nonce was taken: \(taken)")
                }
            },
        ]
    }
}
