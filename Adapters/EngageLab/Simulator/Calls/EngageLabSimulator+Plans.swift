import FoundationEssentials
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    // MARK: Plans

    func setPlan(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try call.fields()
        guard let id = fields["plan_id"]?.stringValue, !id.isEmpty else { throw Refusal(400, 27_303, "empty plan id") }
        guard Rules.isPlanID(id) else { throw .invalid("plan_id") }
        guard let text = fields["plan_description"]?.stringValue, !text.isEmpty else {
            throw .missing("plan_description")
        }
        app.plans[id, default: PlanState(description: text, createdAt: call.now)].description = text
        return .json(["plan_id": .string(id)])
    }

    func listPlans(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard let page = Int(request.parameter("page_index") ?? "1"), (1...Rules.largestPage).contains(page),
            let size = Int(request.parameter("page_size") ?? "20"), Rules.planPage.contains(size),
            ["0", "1"].contains(request.parameter("send_source") ?? "0")
        else { throw .invalid("page_index, page_size or send_source") }
        let text = request.parameter("search_description") ?? ""
        // The simulator has no plans from the console.
        let isOwn = request.parameter("send_source") != "1"
        let plans = app.plans.sorted { $0.key < $1.key }.filter { plan in
            isOwn && (text.isEmpty || plan.value.description.contains(text))
        }
        let rows = plans.dropFirst((page - 1) * size).prefix(size).map { id, plan -> JSONValue in
            func milliseconds(_ date: Date?) -> JSONValue {
                JSONValue(Int((date?.timeIntervalSince1970 ?? 0) * 1000))
            }
            return [
                "plan_id": .string(id), "plan_description": .string(plan.description),
                "count": JSONValue(plan.messages.count), "create_time": milliseconds(plan.createdAt),
                "last_used_time": milliseconds(plan.lastUsedAt), "entity_tag": "",
            ]
        }
        return .json(["push_plan_info": .array(rows), "total": JSONValue(plans.count)])
    }

    func removePlans(_ named: String, isBatch: Bool) throws(Refusal) -> SimulatedResponse {
        let plans = isBatch ? named.split(separator: ",").map(String.init) : [named]
        guard !plans.isEmpty else { throw Refusal(400, 27_303, "empty plan id") }
        for plan in plans { app.plans[plan] = nil }
        guard isBatch else { return .json(["plan_id": .string(named)]) }
        return .json(["plan_ids": .array(plans.map(JSONValue.string))])
    }

    // MARK: Voices and images

    func uploadVoice(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let parts = request.formParts
        guard let language = parts["language"].map({ String(decoding: $0.bytes, as: UTF8.self) }) else {
            throw .missing("language")
        }
        guard Rules.voiceLanguages.contains(language) else { throw .invalid("language") }
        guard let file = parts["file"], !file.bytes.isEmpty else { throw .missing("file") }
        app.voices[language] = "https://voices.invalid/\(language)/\(file.bytes.count).zip"
        return .json(voice(language))
    }

    func listVoices() -> SimulatedResponse { .json(.array(app.voices.keys.sorted().map(voice))) }

    func readVoice(_ language: String) throws(Refusal) -> SimulatedResponse {
        guard app.voices[language] != nil else { throw .invalid("language") }
        return .json(voice(language))
    }

    func removeVoice(_ language: String) throws(Refusal) -> SimulatedResponse {
        guard Rules.voiceLanguages.contains(language) else { throw .invalid("language") }
        app.voices[language] = nil
        return written
    }

    private func voice(_ language: String) -> JSONValue {
        ["language": .string(language), "file_url": .string(app.voices[language] ?? "")]
    }

    /// Takes one address or both, because the vendor's pages disagree.
    func oppoImage(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try call.fields()
        let kinds = ["big", "small"].filter { fields["\($0)_picture_url"] != nil }
        guard !kinds.isEmpty else { throw .missing("big_picture_url or small_picture_url") }
        var reply: [String: JSONValue] = [:]
        for kind in kinds {
            guard let url = fields["\(kind)_picture_url"]?.stringValue, url.hasPrefix("http") else {
                throw .invalid("\(kind)_picture_url")
            }
            reply["\(kind)_picture_id"] = .string("oppo-\(kind)-\(app.newMessageID())")
        }
        return .json(.object(reply))
    }
}
