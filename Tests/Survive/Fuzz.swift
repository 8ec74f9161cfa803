import FoundationEssentials
import PushAdapter
import PushClient
import PushCrypto
import PushEngageLab
import PushJPush
import PushTPNS
import PushWebPush

/// Corrupts external input, a few bytes at a time: responses and callbacks of each vendor, and files. A reader may
/// refuse the input. It must not crash, take long, or show a secret.
struct Fuzz {
    /// A reader of bytes.
    struct Reader {
        let name: String
        let seeds: [[UInt8]]
        /// Throws if it refuses the bytes.
        let read: ([UInt8]) async throws -> Void
    }

    /// A broken promise.
    struct Breach: Error {
        let what: String
    }

    let dice: Dice
    let findings: Findings

    func run(_ mutations: Int) async {
        let readers = Self.readers
        for number in 0..<mutations {
            if number % 100_000 == 99_999 { Findings.say("\(number + 1) mutations") }
            let reader = readers[number % readers.count]
            let bytes = mutate(dice.pick(reader.seeds))
            let (start, stalls) = (ContinuousClock.now, Stalls.total)
            do {
                try await reader.read(bytes)
            } catch let breach as Breach {
                findings.violate("\(reader.name): \(breach.what)")
            } catch {
                findings.inspect("\(error)", "a refusal by \(reader.name)")
            }
            let time = ContinuousClock.now - start - (Stalls.total - stalls)
            if time > .seconds(1) { findings.violate("\(reader.name) took \(time) for \(bytes.count) bytes") }
        }
        findings.state.withLock { $0.outcomes["mutated inputs", default: 0] += mutations }
    }

    private func mutate(_ seed: [UInt8]) -> [UInt8] {
        var bytes = seed
        for _ in 0..<dice.roll(1...6) {
            guard !bytes.isEmpty else { break }
            let place = dice.roll(0..<bytes.count)
            switch dice.roll(0..<8) {
            case 0: bytes[place] = UInt8(dice.roll(0...255))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(dice.pick(Array("{}[]\",:\\0-1.eE tfnu\u{0}".utf8)), at: place)
            case 3: bytes.replaceSubrange(place..<min(bytes.count, place + dice.roll(1...20)), with: [])
            case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + dice.roll(1...40))], at: place)
            case 5: bytes = Array(bytes[..<place])
            case 6:
                let opening: [UInt8] = dice.happens(50) ? [0x5B] : Array("{\"a\":".utf8)
                bytes.insert(contentsOf: (0..<dice.pick([3, 40, 2_000])).flatMap { _ in opening }, at: place)
            default: bytes.insert(contentsOf: dice.pick(Self.words), at: place)
            }
        }
        return bytes
    }

    private static let words: [[UInt8]] =
        [
            "null", "true", "-0", "1e400", "\"\\ud800\"", "\u{202E}", "99999999999999999999999999",
            "\"error\":{\"code\":", "[]",
            "{}", "\"\\u0000\"",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF]]

    // MARK: Readers

    private static var readers: [Reader] { answers + calls + huawei + makers + files }

    static func seeds(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    /// A reader for the responses of a vendor's exchange, each with several statuses.
    static func reader<Output>(
        _ name: String, _ provider: any PushProvider, _ exchange: Exchange<Output>?, _ texts: String...
    ) -> Reader? {
        guard let exchange else { return nil }
        return Reader(name: name, seeds: texts.map { Array($0.utf8) }) { bytes in
            for status in [200, 400, 429, 503] {
                let response = WireResponse(status: status, body: bytes)
                _ = provider.facts(in: response)
                if let error = provider.diagnose(response, to: exchange.call) {
                    if "\(error)".contains(Unit.filler) { throw error }
                    continue
                }
                _ = try exchange.decode(response)
            }
        }
    }

    private static var answers: [Reader] {
        let secret = Secret("51c3e7cret51c3e7cret0000")
        let message = Message(notification: Notification(title: "t", body: "b"))
        let (device, key) = (DeviceID(Unit.make(1)), "0123456789abcdef01234567")
        guard let jpush = try? JPush(appKey: key, masterSecret: secret),
            let engageLab = try? EngageLab(appKey: key, masterSecret: secret),
            let tpns = try? TPNS(accessID: 1_500_000_001, secretKey: secret, platform: .android),
            let webpush = try? WebPush(WebPushKey(Browsers.serverKey), subject: "mailto:push@news.example.com")
        else { return [] }
        let unit = Unit.make(1)
        let readers: [Reader?] = [
            reader(
                "jpush send", jpush, try? jpush.send(message, to: .everyone),
                "{\"sendno\":\"0\",\"msg_id\":\"18103084512345678\",\"illegal_rids\":[\"\(unit)\"]}",
                "{\"error\":{\"code\":1003,\"message\":\"The registration_id \(unit) is invalid!\"},\"msg_id\":123}"),
            reader("jpush keys", jpush, jpush.mintKeys(2, for: .send), "{\"cidlist\":[\"a-1\",\"a-2\"]}"),
            reader(
                "jpush device", jpush, jpush.readDevice(device),
                "{\"tags\":[\"a\",\"b\"],\"alias\":\"c\",\"mobile\":\"138\"}", "{\"code\":7002,\"message\":\"m\"}"),
            reader("jpush write", jpush, try? jpush.addTags(["a"], to: device), "", "{}"),
            reader(
                "jpush deliveries", jpush, try? jpush.readDeliveries(of: ["1"]),
                "[{\"msg_id\":\"1\",\"jpush_received\":2,\"ios_apns_sent\":null,\"android_pns_sent\":{\"a\":1}}]"),
            reader(
                "jpush schedules", jpush, try? jpush.listSchedules(page: 1),
                "{\"total_count\":1,\"total_pages\":1,\"page\":1,\"schedules\":[{\"schedule_id\":\"0eac1b80\",\"name\":\"n\","
                    + "\"enabled\":true,\"trigger\":{\"single\":{\"time\":\"2030-01-01 10:00:00\"}},\"push\":{}}]}"),
            reader(
                "engagelab send", engageLab, try? engageLab.send(message, to: .everyone),
                "{\"request_id\":\"r\",\"msg_id\":\"1225764\"}",
                "{\"error\":{\"code\":21003,\"message\":\"\(unit) is wrong\"}}", "{\"code\":\"21008\",\"message\":{}}"),
            reader(
                "engagelab device", engageLab, engageLab.readDevice(device), "{\"tags\":[\"a\"],\"alias\":\"c\"}"),
            reader("engagelab write", engageLab, try? engageLab.addTags(["a"], to: device), "success", "{}"),
            reader(
                "engagelab deliveries", engageLab, try? engageLab.readDeliveries(of: ["1"]),
                "{\"1\":{\"targets\":3,\"sent\":2,\"delivered\":1,\"sub_android\":{\"engagelab_android\":{\"sent\":1}}}}"
            ),
            reader(
                "webpush send", webpush,
                try? webpush.send(message, to: .devices([HostileVendor.Kind.webpush.device(unit)])),
                "{\"id\":\"7\",\"event\":\"message\"}",
                "{\"code\":400,\"errno\":110,\"error\":\"\(unit)\",\"message\":\"\(unit) is wrong\"}",
                "{\"reason\":\"VapidPkHashMismatch\"}", "push subscription has unsubscribed or expired.\n"),
            reader(
                "tpns send", tpns, try? tpns.send(message, to: .devices([device])),
                "{\"seq\":0,\"push_id\":\"123\",\"invalid_targe_list\":[\"\(unit)\"],\"ret_code\":0,\"err_msg\":\"\"}",
                "{\"retCode\":\"1008001\",\"ErrMsg\":\"\(unit)\"}"),
            reader(
                "tpns write", tpns, try? tpns.addTags(["a"], to: device), "{\"ret_code\":0,\"result\":\"\"}"),
            reader(
                "tpns accounts", tpns, try? tpns.readAccounts(of: device),
                "{\"ret_code\":0,\"result\":[\"0\"],\"token_accounts\":[{\"token\":\"\(unit)\",\"account_list\":[{\"account\":"
                    + "\"x\",\"account_type\":0}]}]}"),
        ]
        return readers.compactMap { $0 }
    }

    /// Files that people write.
    private static var files: [Reader] {
        let message =
            "{\"notification\":{\"title\":\"a\",\"body\":\"b\",\"extras\":{\"a\":[1,{\"b\":null}]},\"ios\":{\"badge\":\"+1\"}},"
            + "\"timeToLive\":60,\"platforms\":[\"ios\"],\"options\":{\"jpush\":{\"sendNumber\":1}}}"
        return [
            Reader(name: "message files", seeds: seeds(message)) { bytes in
                let message = try JSONDecoder().decode(Message.self, from: Data(bytes))
                _ = try JSONEncoder().encode(message)
                _ = try message.options(JPushOptions.self)
            },
            Reader(
                name: "audiences",
                seeds: seeds("{\"tagged\":{\"anyOf\":[\"a\"]}}", "{\"devices\":[\"a\",\"b\"]}", "\"everyone\"")
            ) { bytes in
                _ = try JSONDecoder().decode(Audience.self, from: Data(bytes))
            },
            Reader(name: "JSON values", seeds: seeds(message, "[1.5e3,\"\\u00e9\\ud83d\\ude00\",[[]]]")) { bytes in
                let value = try JSONValue(parsing: bytes)
                // A parsed value must survive writing and parsing again.
                guard (try? JSONValue(parsing: JSONWriter.bytes(of: value))) == value else {
                    throw Breach(what: "a value was written otherwise than it was read")
                }
            },
        ]
    }
}
