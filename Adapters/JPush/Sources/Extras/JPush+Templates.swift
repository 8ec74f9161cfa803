import JiguangDialect
public import PushAdapter

/// A part of a template push: its audience, and the texts for the template's placeholders.
public struct JPushTemplateParameters: Sendable {
    /// The part's audience. All parts need audiences of one kind; everyone, tags or a segment allow only one part.
    public var audience: Audience
    /// Texts for the template's placeholders.
    public var texts: [String: String]
    /// The vendor's options for this part.
    public var options: [String: JSONValue]
    /// Your own mark. The vendor returns it in the response.
    public var trace: String?
    /// Shows the message only in this place, in the vendor's form.
    public var geofence: JSONValue?

    /// Creates a part of a template push.
    public init(
        audience: Audience, texts: [String: String] = [:], options: [String: JSONValue] = [:], trace: String? = nil
    ) {
        self.audience = audience
        self.texts = texts
        self.options = options
        self.trace = trace
    }
}

/// The result of one part of a template push.
public struct JPushTemplateResult: Sendable {
    /// This part's message; nil for a scheduled part, or if the vendor does not name it.
    public var message: MessageID?
    /// This part's schedule; nil for an immediate push, or if the vendor does not name it.
    public var schedule: ScheduleID?
    /// The part's mark; nil for none.
    public var trace: String?
    /// Why the vendor refused the part; nil if it accepted it.
    public var error: PushError?
}

extension JPush {
    /// `POST /v3/push/template`: sends messages from a console template; returns a result per part. Needs a contract.
    ///
    /// Refuses parts with different kinds of audience, several parts for everyone, tags or a segment, and more than
    /// 1000 devices or aliases in total.
    public func sendTemplate(
        _ template: String, _ parts: [JPushTemplateParameters]
    ) throws(PushError) -> Exchange<[JPushTemplateResult]> {
        try templateCall(.jpushSendTemplate, ["template"], template, parts, [:], "push_list")
    }

    /// `POST /v3/push/template/schedule`: the same at a later time.
    public func scheduleTemplate(
        _ template: String, named name: String, _ trigger: ScheduleTrigger, _ parts: [JPushTemplateParameters]
    ) throws(PushError) -> Exchange<[JPushTemplateResult]> {
        let extra: WireObject = ["schedule_name": .string(name), "trigger": try wire(trigger)]
        var exchange = try templateCall(
            .jpushScheduleTemplate, ["template", "schedule"], template, parts, extra, "schedule_list")
        exchange.inputs.append(.scheduleName(name))
        return exchange
    }

    private func templateCall(
        _ operation: Feature, _ path: [PathSegment], _ template: String, _ parts: [JPushTemplateParameters],
        _ extra: WireObject, _ list: String
    ) throws(PushError) -> Exchange<[JPushTemplateResult]> {
        try check(parts)
        let encoder = JPushEncoder(capabilities)
        var rows: [JSONValue] = []
        for part in parts {
            var row: WireObject = [
                "audience": try encoder.audience(part.audience),
                "keys": .object(part.texts.mapValues(JSONValue.string)),
            ]
            if !part.options.isEmpty { row["options"] = .object(part.options) }
            row["trace_id"] = part.trace.map(JSONValue.string)
            row["geofence"] = part.geofence
            rows.append(.object(row))
        }
        let fields = extra.merging(["id": .string(template), "params": .array(rows)]) { own, _ in own }
        let count = parts.reduce(0) { $0 + ($1.audience.targets?.count ?? 0) }
        var exchange = api.call(
            operation, WireRequest(.post, .jpushPush, path: path, body: .json(.object(fields))), .unkeyed,
            checking: [.amount(count, .jpushBatch, "the targets")]
        ) { (response) throws(PushError) in
            guard let rows = try response.json()["data"]?[list]?.arrayValue else {
                throw PushError(.malformedResponse, "the response has no \(list)", effect: .unknown)
            }
            let surface: JPushErrors.Surface = list == "schedule_list" ? .schedule : .push
            return rows.map { Self.templateResult($0, surface) }
        }
        exchange.inputs += parts.map { .audience($0.audience) }
        return exchange
    }

    private static func templateResult(
        _ row: JSONValue, _ surface: JPushErrors.Surface
    ) -> JPushTemplateResult {
        var result = JPushTemplateResult(
            message: row["message_id"]?.identifier.map { MessageID($0) },
            schedule: row["schedule_id"]?.identifier.map { ScheduleID($0) }, trace: row["trace_id"]?.stringValue)
        guard let code = row["code"]?.intValue.map({ VendorCode($0) }) else {
            result.error = ItemReply.unreadable.error
            return result
        }
        if code != 0 {
            result.error = JPushErrors.error(
                code, on: surface, VendorDetail(code: code, message: row["message"]?.stringValue, httpStatus: 200))
        }
        return result
    }

    private func check(_ parts: [JPushTemplateParameters]) throws(PushError) {
        guard let first = parts.first else {
            throw PushError(.invalidArgument, "a template push needs at least one part")
        }
        func kind(_ audience: Audience) -> String {
            if case .tagged = audience { "tags" } else { "\(audience.features)" }
        }
        guard parts.allSatisfy({ kind($0.audience) == kind(first.audience) }) else {
            throw PushError(.invalidArgument, "all parts of a template push need audiences of one kind")
        }
        guard first.audience.targets != nil || parts.count == 1 else {
            throw PushError(.limitExceeded, "a template push to everyone, to tags or to a segment allows only one part")
        }
    }
}
