import FoundationEssentials
import PushAdapter
import PushClient
import PushConformance
import PushSimulation

/// A subject with one flaw, and the checks that must catch it.
struct BrokenTwin: Sendable {
    /// Names of checks. A name that ends in a dot stands for all checks that begin with it.
    var checks: [String]
    var harness = Twin()
    /// In place of the memory adapter, for checks of what that does not have.
    var other: (any ConformanceHarness)?
    var link = ConformanceLink.inProcess
    /// A layer that a backend put around its calls.
    var layer: (any CallLayer)?

    init(_ checks: String..., edit: (inout BrokenTwin) -> Void) {
        self.checks = checks
        edit(&self)
    }

    init(_ checks: String..., twin: Twin) {
        self.checks = checks
        harness = twin
    }

    func isFor(_ check: ConformanceCheck) -> Bool {
        checks.contains { $0 == check.id || ($0.hasSuffix(".") && check.id.hasPrefix($0)) }
    }
}

extension BrokenTwin {
    static let all: [BrokenTwin] =
        declaration + encoding + refusal + behavior + accounts + errors + pipeline + secrecy + partial + session
        + receipts

    private static let declaration = [
        BrokenTwin("declaration.id", twin: Twin(id: "Some Vendor")),
        BrokenTwin(
            "declaration.dataCenter", twin: Twin(dataCenter: { $0.services = $0.services.mapValues { $0 + "/" } })),
        BrokenTwin("declaration.roles", twin: Twin(roles: { $0.tags = TagCalls() })),
        BrokenTwin(
            "declaration.capabilities", twin: Twin(capabilities: { $0.support[.probeCredentials] = .unsupported("no") })
        ),
        BrokenTwin(
            "declaration.operations",
            twin: Twin(exchange: { if $0.operation == .readAlias { $0.operation = .readTags } })),
        BrokenTwin(
            "declaration.inputs", "refusal.payload", "refusal.tag.length", "refusal.empty.tag", "refusal.empty.device",
            "refusal.empty.alias", "refusal.rule.",
            twin: Twin(exchange: { $0.inputs = [] })),
        BrokenTwin("declaration.reasons", twin: Twin(capabilities: { $0.support[.audienceFile] = .unsupported("") })),
        BrokenTwin(
            "declaration.emulations",
            twin: Twin(capabilities: {
                $0.support[.validate] = .emulated(Recipe(.faithful, isAtomic: true, requests: 0, caveat: ""))
            })),
        BrokenTwin(
            "declaration.sending",
            twin: Twin(capabilities: {
                for feature in $0.support.keys where feature.rawValue.hasPrefix("audience.") {
                    $0.support[feature] = .unsupported("no")
                }
            })),
        BrokenTwin("declaration.limits", twin: Twin(capabilities: { $0.limits[.tagLength]?.source = "" })),
        BrokenTwin(
            "declaration.limits",
            twin: Twin(capabilities: { $0.limits["plan.name"] = Limit(1, .count, .reject, source: "a page") })),
        BrokenTwin(
            "declaration.characters",
            twin: Twin(capabilities: {
                $0.limits[charactersOf: .tagLength] = AllowedCharacters("", ascii: "a", ranges: [], source: "")
            })),
        BrokenTwin("declaration.quotas", twin: Twin(exchange: { $0.charges = [QuotaCharge("elsewhere")] })),
        BrokenTwin("declaration.subjects", "quota.minimumInterval", twin: Twin(exchange: { $0.subject = nil })),
        BrokenTwin("declaration.writeDelay", twin: Twin(capabilities: { $0.writeDelay[.send] = .seconds(1) })),
        BrokenTwin("declaration.minimumInterval", twin: Twin(capabilities: { $0.minimumInterval[.addTags] = .zero })),
        BrokenTwin(
            "declaration.idempotency",
            twin: Twin(exchange: { if $0.operation == .send { $0.idempotency = .idempotent } })),
        BrokenTwin("declaration.simulator", twin: Twin(knows: { $0.code != 3 })),
        BrokenTwin("declaration.errors", twin: Twin(diagnosis: { error, _ in error?.vendor?.code == 7 ? nil : error })),
        BrokenTwin(
            "declaration.effects", twin: Twin(diagnosis: { error, _ in error?.with { $0.effect = .notApplied } })),
        BrokenTwin("declaration.retries", twin: Twin(diagnosis: { error, _ in error?.with { $0.retry = .never } })),
    ]

    private static let encoding = [
        BrokenTwin(
            "encoding.deterministic", "encoding.explained",
            twin: Twin(exchange: { $0.request.query.append(QueryItem("nonce", String(UInt64.random(in: 0 ... .max)))) })
        ),
        BrokenTwin(
            "encoding.ordered",
            twin: Twin(exchange: {
                $0.request.query.append(QueryItem("order", $0.tags.map(\.rawValue).joined(separator: ",")))
            })),
        BrokenTwin("encoding.paths", "secrecy.requests", "secrecy.success", twin: literalPaths),
        BrokenTwin(
            "encoding.keys",
            twin: Twin(exchange: { part in
                if case .keyed = part.idempotency { part.idempotency = .idempotent }
            })),
        BrokenTwin(
            "encoding.devices", "partial.slices", "partial.duplicates", "partial.malformed", "partial.unknownDevice",
            twin: Twin(audience: { audience in
                switch audience {
                case .devices: .devices([DeviceID(Twin.base.device(1).id)])
                case .aliases(let aliases): .aliases(Array(aliases.prefix(1)))
                default: audience
                }
            })),
        // Loses the fields of a message, one after the other.
        BrokenTwin(
            "encoding.field.",
            twin: Twin(message: { (message) throws(PushError) in
                message =
                    message.notification == nil
                    ? Message(custom: CustomMessage(content: message.custom?.content ?? ""))
                    : Message(notification: Notification(body: "Hello"))
            })),
        // Says that it ignores a field, and writes it.
        BrokenTwin(
            "encoding.field.class",
            twin: Twin(capabilities: { $0.ignoredFields[.messageClass] = "the vendor has no classes" })),
        BrokenTwin(
            "encoding.field.deliveryPriority",
            twin: Twin(message: { (message) throws(PushError) in
                if message.custom != nil { message.deliveryPriority = nil }
            })),
        BrokenTwin(
            "behavior.content.fields",
            twin: Twin(message: { (message) throws(PushError) in
                // A request of its own, in which the vendor finds no picture.
                if let image = message.notification?.image {
                    message.notification?.image = nil
                    message.notification?.extras["image"] = .string(image)
                }
            })),
        BrokenTwin(
            "behavior.content.localized",
            twin: Twin(message: { (message) throws(PushError) in
                message.notification?.ios?.body = nil
                message.notification?.android?.body = nil
            })),
        BrokenTwin(
            "behavior.content.badge",
            twin: Twin(message: { (message) throws(PushError) in
                // Writes an addition as the number of a notification.
                if case .change(let number) = message.notification?.android?.badge {
                    message.notification?.android?.badge = .set(number)
                }
            })),
        BrokenTwin(
            "behavior.content.tap",
            twin: Twin(message: { (message) throws(PushError) in
                // Writes an address as the action of an intent. No app declares such an action.
                if case .intentURI(let address) = message.notification?.android?.tap {
                    message.notification?.android?.tap = .intentAction(address)
                }
            })),
        BrokenTwin(
            "behavior.content.textless",
            twin: Twin(message: { (message) throws(PushError) in
                if message.notification?.body == nil { message.notification?.body = "" }
            })),
        BrokenTwin(
            "encoding.options.places",
            twin: Twin(message: { (message) throws(PushError) in
                if message.options["memory"]?["note"] != nil { message.notification?.title = "Note" }
            })),
        BrokenTwin(
            "encoding.options.places",
            twin: Twin(exchange: { $0.editBody { $0.replacing(#""note":"#, with: #""remark":"#) } })),
        BrokenTwin("encoding.bodies", twin: Twin(exchange: { $0.editBody { "{" + $0 } })),
        BrokenTwin(
            "encoding.message.",
            twin: Twin(message: { (message) throws(PushError) in
                if var text = message.notification?.body?.plain {
                    text.mangle()
                    message.notification?.body = .plain(text)
                }
                if message.notification?.extras["long"] != nil {
                    message.notification?.extras["long"] = 9_007_199_254_740_992
                }
            })),
        BrokenTwin(
            "encoding.custom.", twin: Twin(message: { (message) throws(PushError) in message.custom?.content.mangle() })
        ),
        BrokenTwin("encoding.tag.", "partial.tags", twin: Twin(change: { $0.mapTags { $0.mangle() } })),
        BrokenTwin(
            "encoding.alias.",
            twin: Twin(
                alias: { alias in
                    var text = alias?.rawValue
                    text?.mangle()
                    return text.map { Alias($0) }
                }, capabilities: { $0.limits[charactersOf: .aliasLength] = nil })),
    ]

    private static let refusal = [
        BrokenTwin("refusal.tag.length", twin: Twin(change: { $0.mapTags { $0 = String($0.prefix(9)) } })),
        BrokenTwin("refusal.alias.length", twin: Twin(alias: { $0.map { Alias(String($0.rawValue.prefix(39))) } })),
        BrokenTwin("refusal.tags.device", twin: Twin(change: { .add(Set($0.elements.sorted().dropFirst())) })),
        BrokenTwin(
            "refusal.tags.audience",
            twin: Twin(audience: { audience in
                if case .tagged(let any, let all, let none) = audience {
                    .tagged(anyOf: Set(any.sorted().prefix(1)), allOf: all, noneOf: none)
                } else {
                    audience
                }
            })),
        BrokenTwin(
            "refusal.timeToLive",
            twin: Twin(message: { (message) throws(PushError) in
                message.timeToLive = message.timeToLive.map { $0 * 1000 }
            })),
        BrokenTwin("behavior.tags.split", "behavior.tags.add", twin: Twin(change: { .replace($0.elements) })),
        BrokenTwin("behavior.reports.split", "behavior.deliveries", twin: Twin(reported: { Array($0.dropFirst()) })),
        BrokenTwin("refusal.empty.", "refusal.schedule.past") { $0.layer = Spoiler() },
        BrokenTwin(
            "refusal.options.unknown", "refusal.options.rules", "encoding.options.places",
            twin: Twin(message: { (message) throws(PushError) in message = message.withoutOptions })),
        BrokenTwin(
            "behavior.options.foreign",
            twin: Twin(message: { (message) throws(PushError) in
                if !message.options.isEmpty { throw PushError(.invalidArgument, "unknown options") }
            })),
        BrokenTwin("refusal.credentials", twin: Twin(signsEverything: true)),
    ]

    private static let behavior = [
        BrokenTwin("behavior.tags.read", twin: Twin(response: { $0.replace(.readTags, $1, by: "[]") })),
        BrokenTwin("behavior.tags.remove", twin: Twin(change: { if case .remove = $0 { .clear } else { $0 } })),
        BrokenTwin("behavior.device.update", twin: Twin(alias: { _ in nil })),
        BrokenTwin(
            "behavior.device.update",
            twin: Twin(exchange: { part in
                part.editBody { $0.replacing(/"removed":\[[^\]]*\]/, with: #""removed":[]"#) }
            })),
        // Changes a device without checking the inputs.
        BrokenTwin(
            "behavior.device.update.refused",
            twin: Twin(exchange: { part in
                if part.operation == .updateDevice { part.inputs = [] }
            })),
        BrokenTwin(
            "behavior.tags.replace", "behavior.tags.replace.empty",
            twin: Twin(change: { if case .replace(let tags) = $0 { .add(tags) } else { $0 } })),
        BrokenTwin(
            "partial.members",
            twin: Twin(members: { change in
                // Drops one device of each request.
                if case .add(let devices) = change, devices.count > 1 {
                    .add(Array(devices.dropLast()))
                } else {
                    change
                }
            })),
        BrokenTwin(
            "retry.token",
            twin: Twin(diagnosis: { error, _ in
                guard var error, error.retry == .never else { return error }
                error.retry = .afterRenewal
                return error
            })),
        BrokenTwin(
            "partial.throttled",
            twin: Twin(diagnosis: { error, _ in
                guard var error, error.kind == .rateLimited else { return error }
                error.retry = .never
                return error
            })),
        BrokenTwin("behavior.tags.clear", twin: Twin(change: { $0 == .clear ? .remove([]) : $0 })),
        BrokenTwin("behavior.tags.test", twin: Twin(response: { $0.replace(.testTag, $1, by: "[true]") })),
        BrokenTwin("behavior.alias.read", twin: Twin(response: { $0.replace(.readAlias, $1, by: #"[""]"#) })),
        BrokenTwin("behavior.alias.set", twin: Twin(alias: { _ in "always" })),
        BrokenTwin("behavior.alias.sharing", twin: Twin(capabilities: { $0.aliasSharing = .several })),
        BrokenTwin("behavior.alias.remove", twin: Twin(alias: { $0 ?? "none" })),
        BrokenTwin("behavior.alias.devices", twin: Twin(response: { $0.replace(.readAliasDevices, $1, by: "[]") })),
        BrokenTwin(
            "behavior.alias.delete",
            twin: Twin(exchange: { if $0.operation == .deleteAlias { $0.request.method = .get } })),
        BrokenTwin("behavior.send", twin: Twin(response: { $0.replace(.send, $1, by: #"{"id":"0","skipped":[]}"#) })),
        BrokenTwin(
            "behavior.send.platforms", twin: Twin(message: { (message) throws(PushError) in message.platforms = nil })),
        BrokenTwin(
            "behavior.validate",
            twin: Twin(exchange: { if $0.operation == .validate { $0.request.path.removeLast() } })),
        BrokenTwin(
            "behavior.validate.live", "behavior.probe",
            twin: Twin(exchange: {
                if [.validate, .probeCredentials].contains($0.operation) { $0.request.path = ["nowhere"] }
            })),
        BrokenTwin(
            "declaration.keys",
            twin: Twin(capabilities: {
                $0.callerKeys = [.push: KeyMemory(.seconds(60), source: "test")]
                $0.limits[.idempotencyKey] = Limit(7, .utf8Bytes, .reject, source: "test")
            })),
        BrokenTwin(
            "declaration.keys",
            twin: Twin(capabilities: {
                $0.callerKeys = [.push: KeyMemory(.seconds(60), source: "test")]
                $0.limits[.idempotencyKey] = Limit(16, .utf8Bytes, .reject, source: "test")
                $0.limits[charactersOf: .idempotencyKey] = AllowedCharacters(
                    "digits", ascii: "0123456789", ranges: [], source: "test")
            })),
        BrokenTwin(
            "declaration.keys",
            twin: Twin(capabilities: {
                $0.callerKeys = [.push: KeyMemory(.seconds(60), scope: .message, source: "test")]
            })),
        BrokenTwin(
            "declaration.keys", twin: Twin(capabilities: { $0.callerKeys = [.push: KeyMemory(.zero, source: "")] })),
        BrokenTwin("behavior.keys.mint", twin: Twin(response: { $0.replace(.mintKeys, $1, by: #"["a","a","a"]"#) })),
        BrokenTwin("behavior.probe.refused", twin: Twin(diagnosis: { error, _ in error?.with { $0.kind = .server } })),
        BrokenTwin(
            "behavior.audience.",
            twin: Twin(audience: { $0 == .everyone ? .devices([DeviceID(Twin.base.device(0).id)]) : .everyone })),
        BrokenTwin(
            "behavior.content.notification", "behavior.content.platforms", "behavior.content.badge.",
            twin: Twin(message: { (message) throws(PushError) in
                message.notification?.title = nil
                message.notification?.ios = nil
                message.notification?.android = nil
            })),
        BrokenTwin("behavior.phone", twin: Twin(phone: { PhoneNumber(String($0.rawValue.dropLast())) })),
        BrokenTwin(
            "behavior.schedule.once", "behavior.schedule.read",
            twin: Twin(schedule: { schedule in
                // Writes milliseconds instead of seconds.
                var schedule = schedule
                if case .once(let date) = schedule.trigger {
                    schedule.trigger = .once(Date(timeIntervalSince1970: date.timeIntervalSince1970 * 1000))
                }
                return schedule
            })),
        BrokenTwin(
            "behavior.schedule.recurring",
            twin: Twin(schedule: { schedule in
                var schedule = schedule
                if case .recurring(let recurrence) = schedule.trigger { schedule.trigger = .once(recurrence.start + 1) }
                return schedule
            })),
        BrokenTwin(
            "behavior.schedule.remove",
            twin: Twin(exchange: {
                if $0.operation == .removeSchedule {
                    $0.request = WireRequest(.delete, "memory", path: ["devices", "memory-device-1001", "phone"])
                }
            })),
        BrokenTwin(
            "behavior.schedule.key",
            twin: Twin(exchange: { $0.editBody { $0.replacing(#""key":"#, with: #""hey":"#) } })),
        BrokenTwin(
            "behavior.content.custom",
            twin: Twin(message: { (message) throws(PushError) in message.notification = Notification(body: "also") })),
        BrokenTwin(
            "behavior.content.liveActivity", "behavior.content.voip",
            twin: Twin(exchange: { if $0.operation == .send { $0.request.path.append("check") } })),
    ]

    private static let accounts = [
        BrokenTwin("behavior.accounts.read", twin: Twin(response: { $0.replace(.readAccounts, $1, by: "[]") })),
        BrokenTwin(
            "behavior.accounts.devices", twin: Twin(response: { $0.replace(.readAccountDevices, $1, by: "[]") })),
        BrokenTwin("behavior.accounts.add", twin: Twin(accounts: { .replace($0.elements) })),
        BrokenTwin(
            "behavior.accounts.type",
            twin: Twin(capabilities: { $0.limits[.accountsPerType] = Limit(1, .count, .reject, source: "the test") })),
        BrokenTwin(
            "behavior.accounts.remove", twin: Twin(accounts: { if case .remove = $0 { .clear } else { $0 } })),
        BrokenTwin(
            "behavior.accounts.replace",
            twin: Twin(accounts: { if case .replace(let accounts) = $0 { .add(accounts) } else { $0 } })),
        BrokenTwin("behavior.accounts.clear", twin: Twin(accounts: { $0 == .clear ? .remove([]) : $0 })),
        BrokenTwin(
            "encoding.account.",
            twin: Twin(accounts: { change in
                let mangled = change.elements.map { account in
                    var account = account
                    account.name.mangle()
                    return account
                }
                return .add(Set(mangled))
            })),
        BrokenTwin(
            "behavior.attributes.read", twin: Twin(response: { $0.replace(.readAttributes, $1, by: "[{}]") })),
        BrokenTwin(
            "behavior.attributes.add",
            twin: Twin(attributes: { if case .add(let attributes) = $0 { .replace(attributes) } else { $0 } })),
        BrokenTwin(
            "behavior.attributes.remove", twin: Twin(attributes: { if case .remove = $0 { .clear } else { $0 } })),
        BrokenTwin(
            "behavior.attributes.replace",
            twin: Twin(attributes: { if case .replace(let attributes) = $0 { .add(attributes) } else { $0 } })),
        BrokenTwin("behavior.attributes.clear", twin: Twin(attributes: { $0 == .clear ? .remove([]) : $0 })),
        BrokenTwin("partial.attributes", twin: Twin(response: { $0.replace(.addAttributes, $1, by: "[]") })),
        BrokenTwin(
            "refusal.attribute.value",
            twin: Twin(attributes: { change in
                if case .add(let attributes) = change {
                    .add(attributes.mapValues { String($0.prefix(9)) })
                } else {
                    change
                }
            })),
        BrokenTwin(
            "encoding.attribute.",
            twin: Twin(attributes: { change in
                guard case .add(var attributes) = change else { return change }
                for name in attributes.keys { attributes[name]?.mangle() }
                return .add(attributes)
            })),
    ]

    /// Each kind of failure, for reading and for sending.
    private static let errors = [
        BrokenTwin(
            "errors.read.throttle", "errors.send.throttle", "errors.read.throttle.", "errors.send.throttle.",
            "errors.read.500", "errors.send.500", "errors.read.503", "errors.send.503", "errors.read.html.502",
            "errors.send.html.502",
            twin: Twin(diagnosis: { error, _ in
                error?.with {
                    $0.kind = .unauthorized
                    $0.retry = .never
                }
            })),
        BrokenTwin(
            "errors.pages", "errors.foreign", "errors.read.html.200", "errors.send.html.200", "errors.read.json.200",
            "errors.send.json.200",
            "errors.read.cut.200", "errors.send.cut.200", "errors.read.empty", "errors.send.empty",
            "errors.read.code.in200", "errors.send.code.in200",
            twin: Twin(
                fallbacks: ["[]", #"{"id":"1","skipped":[]}"#],
                diagnosis: { error, response in response.isSuccess ? nil : error })),
        BrokenTwin(
            "errors.read.truncated", "errors.send.truncated", "errors.read.oversize", "errors.send.oversize",
            "errors.read.lost", "errors.send.lost", "errors.read.silence", "errors.send.silence", "retry.write",
            "retry.account", "retry.attribute",
            twin: Twin(exchange: { $0.idempotency = .unkeyed })),
        BrokenTwin(
            "errors.read.code.unknown", "errors.send.code.unknown",
            twin: Twin(diagnosis: { error, _ in error?.vendor?.code == 987_654 ? error?.with { $0.vendor = nil } : error
            })),
    ]

    private static let pipeline = [
        BrokenTwin(
            "retry.recovers", "retry.exhausted",
            twin: Twin(diagnosis: { error, _ in error?.with { $0.retry = .never } })),
        BrokenTwin("retry.key", twin: Twin(exchange: { $0.editBody { $0.replacing(#""key":"#, with: #""hey":"#) } })),
        // Has no keys, but claims to be idempotent.
        BrokenTwin(
            "retry.key", "retry.grade", "encoding.keys",
            twin: Twin(
                exchange: { if $0.operation == .send { $0.idempotency = .idempotent } },
                capabilities: { $0.support[.mintKeys] = .unsupported("the vendor has no keys") },
                roles: { $0.mintKeys = nil })),
        BrokenTwin("retry.signature") { twin in
            let first = Locked<HTTPFields?>(nil)
            twin.harness.authorize = { fields in
                fields = first.withLock { first in
                    first = first ?? fields
                    return first ?? fields
                }
            }
        },
        BrokenTwin("retry.refusal", twin: Twin(diagnosis: { error, _ in error?.with { $0.retry = .backoff } })),
        BrokenTwin("cancellation.waiting", twin: Twin(diagnosis: { error, _ in error?.with { $0.effect = .unknown } })),
        BrokenTwin("cancellation.inFlight") { twin in
            twin.link = ConformanceLink(.inProcess) { host, body in
                try await body(InProcessTransport.origin, Optimist(base: InProcessTransport(host)))
            }
        },
        BrokenTwin("cancellation.deadline", "quota.throttled", twin: Twin(facts: { $0.rate = nil })),
        BrokenTwin("quota.spent", twin: Twin(exchange: { $0.charges = [] })),
        BrokenTwin(
            "model.",
            twin: Twin(change: { change in
                if case .remove(let tags) = change, tags.count > 2 {
                    .remove(Set(tags.sorted().dropLast()))
                } else {
                    change
                }
            })),
    ]

    private static let secrecy = [
        BrokenTwin("secrecy.provider", twin: Twin(leak: Twin.base.secrets[0])),
        BrokenTwin(
            "secrecy.headers",
            twin: Twin(authorize: { fields in
                var open = HTTPFields()
                for field in fields { open.append(HTTPField(name: field.name, value: field.value)) }
                fields = open
            })),
        BrokenTwin(
            "secrecy.credentials",
            twin: Twin(exchange: { $0.editBody { _ in #"{"as":"\#(Twin.base.secrets[0])"}"# } })),
        BrokenTwin(
            "secrecy.refusals",
            twin: Twin(message: { (message) throws(PushError) in
                throw PushError(.invalidArgument, "cannot send \(message.notification.map { "\($0)" } ?? "")")
            })),
        BrokenTwin(
            "secrecy.vendorErrors", "secrecy.pages", "secrecy.malformed",
            twin: Twin(diagnosis: { error, response in
                let text = String(decoding: response.body, as: UTF8.self)
                return error?.with { $0.message = text } ?? PushError(.malformedResponse, text, effect: .unknown)
            })),
        // Quotes the address that the target brought with it.
        BrokenTwin(
            "secrecy.vendorErrors",
            twin: Twin(
                exchange: { part in
                    guard part.operation == .send else { return }
                    part.request.address = try? TargetAddress(
                        InProcessTransport.origin + "/v1/at/planted-place", mustBePublic: false)
                },
                diagnosis: { error, _ in error?.with { $0.message = "refused at /v1/at/planted-place" } })),
        BrokenTwin(
            "secrecy.explain",
            twin: Twin(exchange: { $0.request.query.append(QueryItem("as", Twin.base.secrets[0])) })),
    ]

    private static let partial = [
        // The client lets a malformed id through. The vendor refuses it, and the client believes the vendor.
        BrokenTwin(
            "partial.malformed",
            twin: Twin(capabilities: {
                $0.limits[charactersOf: .deviceIDLength] = AllowedCharacters(
                    "any text", ascii: AllowedCharacters.alphanumerics + " -", ranges: [], source: "the test")
            })),
        // The vendor refuses the whole list without naming a target.
        BrokenTwin("partial.refusedList") { twin in
            twin.link = ConformanceLink(.inProcess) { host, body in
                host.faults.add(
                    .answer(SimulatedResponse(status: 404, body: Array(#"{"code":2}"#.utf8))), path: "/messages")
                try await body(InProcessTransport.origin, InProcessTransport(host))
            }
        },
        BrokenTwin("partial.head", twin: Twin(diagnosis: { error, _ in error?.with { $0.kind = .misconfigured } })),
        // A failure may have delivered; a refusal has not.
        BrokenTwin(
            "errors.certain", twin: Twin(diagnosis: { error, _ in error?.with { $0.vendor?.isCertain = true } })),
        BrokenTwin(
            "errors.certain", twin: Twin(diagnosis: { error, _ in error?.with { $0.vendor?.isCertain = false } })),
        BrokenTwin(
            "errors.read.code.in500", "errors.send.code.in500",
            twin: Twin(diagnosis: { error, _ in error?.with { $0.vendor?.isCertain = true } })),
        // A code of its own for each status, whatever the body says.
        BrokenTwin(
            "errors.contradiction",
            twin: Twin(diagnosis: { error, response in
                error?.with { $0.vendor = VendorDetail(code: VendorCode(response.status), httpStatus: response.status) }
            })),
        // A throttle with a bare status and no body.
        BrokenTwin(
            "errors.certain",
            twin: Twin(diagnosis: { error, response in response.body.isEmpty ? nil : error })),
        BrokenTwin(
            "partial.refusedSlice", "partial.nothing",
            twin: Twin(diagnosis: { error, _ in error?.with { $0.effect = .unknown } })),
        BrokenTwin(
            "partial.unknownSlice", twin: Twin(diagnosis: { error, _ in error?.with { $0.effect = .applied } })),
    ]

    private static let literalPaths = Twin(exchange: { part in
        part.request.path = part.request.path.map { segment in
            if case .value(let text) = segment { .literal(text) } else { segment }
        }
    })
}

/// A layer that turns every error into `unknown`.
private struct Spoiler: CallLayer {
    func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        do throws(PushError) {
            return try await next(call)
        } catch {
            throw error.with { $0.kind = .unknown }
        }
    }
}

/// A transport that reports every failure as "not applied".
private struct Optimist: HTTPTransport {
    let base: any HTTPTransport

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        do throws(PushError) {
            return try await base.send(request)
        } catch {
            throw error.with { $0.effect = .notApplied }
        }
    }

    func shutdown() async { await base.shutdown() }
}

extension PushError {
    fileprivate func with(_ edit: (inout PushError) -> Void) -> PushError {
        var error = self
        edit(&error)
        return error
    }
}

extension String {
    /// Replaces characters that an encoder may get wrong.
    fileprivate mutating func mangle() {
        self = String(unicodeScalars.map { $0.isASCII && $0.properties.isAlphabetic ? Character($0) : "?" })
    }
}

extension BrokenTwin {
    private static let session = [
        BrokenTwin(
            "behavior.session.tags", "behavior.session.order",
            twin: Twin(change: { if case .remove(let tags) = $0 { .add(tags) } else { $0 } })),
        BrokenTwin("behavior.session.alias", "behavior.session.overlay", twin: Twin(alias: { _ in "always" })),
        BrokenTwin(
            "behavior.session.slots",
            twin: Twin(fallbacks: ["[]"], diagnosis: { error, response in response.isSuccess ? nil : error })),
        BrokenTwin("behavior.session.support", twin: Twin(roles: { $0.tags = TagCalls() })),
    ]
}

extension TagUpdate {
    fileprivate func mapTags(_ edit: (inout String) -> Void) -> TagUpdate {
        map { tags in
            Set(
                tags.map { tag in
                    var text = tag.rawValue
                    edit(&text)
                    return Tag(text)
                })
        }
    }
}

extension Message {
    fileprivate var withoutOptions: Message {
        Message(
            notification: notification, custom: custom, liveActivity: liveActivity, voip: voip, platforms: platforms,
            timeToLive: timeToLive, environment: environment)
    }
}

extension WireResponse {
    fileprivate mutating func replace(_ operation: Feature, _ actual: Feature, by text: String) {
        if operation == actual { body = Array(text.utf8) }
    }
}

extension Twin.Part {
    fileprivate mutating func editBody(_ edit: (String) -> String) {
        guard case .bytes(let bytes, let type) = request.body else { return }
        request.body = .bytes(Array(edit(String(decoding: bytes, as: UTF8.self)).utf8), contentType: type)
    }
}
