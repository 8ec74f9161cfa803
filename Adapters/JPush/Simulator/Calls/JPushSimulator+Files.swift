import FoundationEssentials
import PushAdapter
import PushSimulation

extension JPushSimulator {
    func uploadFile(_ call: SimulatedCall, _ kind: String) throws(Refusal) -> SimulatedResponse {
        let (parts, now) = (call.request.formParts, call.now)
        guard let file = parts["filename"], file.bytes.count <= Rules.fileBytes,
            let text = String(validating: file.bytes, as: UTF8.self)
        else { throw .invalid("illegal file") }
        let hours = parts["ttl"].flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 720
        guard Rules.fileHours.contains(hours) else { throw .invalid("illegal ttl") }
        guard valid(now).count < settings.filesPerApp else { throw .invalid("too many files") }
        let id = "f\(app.newMessageID())"
        app.files[id] = FileState(
            kind: kind, name: file.fileName ?? "ids.txt", ids: text.split(whereSeparator: \.isNewline).map(String.init),
            createdAt: now, expiresAt: now.addingTimeInterval(Double(hours) * 3600))
        return .json(["file_id": .string(id)])
    }

    func listFiles(_ now: Date) -> SimulatedResponse {
        let rows = valid(now).map { Self.row($0.key, $0.value) }
        return .json(["total_count": JSONValue(rows.count), "files": .array(rows)])
    }

    func readFile(_ id: String, _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard let file = app.files[id], file.expiresAt > now else { throw .invalid("no such file") }
        return .json(Self.row(id, file))
    }

    func removeFile(_ id: String) -> SimulatedResponse {
        app.files[id] = nil
        return .empty
    }

    private func valid(_ now: Date) -> [(key: String, value: FileState)] {
        app.files.filter { $0.value.expiresAt > now }.sorted { $0.key < $1.key }
    }

    private static func row(_ id: String, _ file: FileState) -> JSONValue {
        [
            "file_id": .string(id), "file_name": .string(file.name), "type": .string(file.kind),
            "create_time": JSONValue(Int(file.createdAt.timeIntervalSince1970)),
            "expire_time": JSONValue(Int(file.expiresAt.timeIntervalSince1970)),
        ]
    }

    // MARK: Images

    func imageURLs(_ call: SimulatedCall, _ id: String?) throws(Refusal) -> SimulatedResponse {
        guard let fields = call.request.object else { throw .missing }
        return try image(id, fields["image_type"]?.intValue, fields.keys.filter { $0.hasSuffix("image_url") })
    }

    func imageFiles(_ call: SimulatedCall, _ id: String?) throws(Refusal) -> SimulatedResponse {
        let parts = call.request.formParts
        let kind = parts["image_type"].flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) }
        return try image(id, kind, parts.keys.filter { $0.hasSuffix("image_file") })
    }

    private func image(_ id: String?, _ kind: Int?, _ names: [String]) throws(Refusal) -> SimulatedResponse {
        guard let kind, (1...3).contains(kind) else { throw .invalid("illegal image_type") }
        guard !names.isEmpty else { throw .missing }
        if let id, app.images[id] == nil { throw .invalid("no such media_id") }
        let media = id ?? "jgmedia-\(kind)-\(app.newMessageID())"
        var fields: [String: JSONValue] = ["media_id": .string(media)]
        for name in names {
            // The vendor's own channel uses the plain address.
            let channel =
                name.split(separator: "_").first == "image" ? "jiguang" : String(name.split(separator: "_")[0])
            fields["\(channel)_image_url"] = .string("https://images.invalid/\(media)/\(channel)")
        }
        app.images[media] = fields
        return .json(.object(fields))
    }
}
