import JiguangDialect
public import PushAdapter

/// A language of voice files.
public enum EngageLabVoiceLanguage: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// Chinese in simplified characters.
    case simplifiedChinese = "zh-Hans"
    /// Chinese in traditional characters.
    case traditionalChinese = "zh-Hant"
}

/// The voice files of one language.
public struct EngageLabVoice: Sendable, Hashable, Decodable {
    /// The vendor's word for the language; nil if the vendor omits it.
    public let language: String?
    /// The address at which the vendor keeps the files.
    public let fileURL: String

    private enum CodingKeys: String, CodingKey {
        case language
        case fileURL = "file_url"
    }
}

extension EngageLab {
    /// `POST /v4/voices`: sets the voice files of a language. They replace its old files.
    ///
    /// The client reads the file while it sends it. Files set here can be managed only here.
    /// - Parameters:
    ///   - path: a zip file of mp3 files on this machine.
    ///   - language: the language of the files.
    public func uploadVoice(
        _ path: String, speaking language: EngageLabVoiceLanguage
    ) throws(PushError) -> Exchange<EngageLabVoice> {
        guard !path.isEmpty else { throw PushError(.invalidArgument, "the path of the file is empty") }
        let parts = [
            WirePart("language", .bytes(Array(language.rawValue.utf8))),
            WirePart("file", .file(path), fileName: "voices.zip", contentType: "application/zip"),
        ]
        return api.call(
            .engageLabUploadVoice, WireRequest(.post, .engageLab, path: ["voices"], body: .multipart(parts)), .unkeyed
        ) { (response) throws(PushError) in try response.json(EngageLabVoice.self) }
    }

    /// `GET /v4/voices`: reads the voice files of every language.
    public func listVoices() -> Exchange<[EngageLabVoice]> {
        api.call(.engageLabReadVoices, WireRequest(.get, .engageLab, path: ["voices"])) {
            (response) throws(PushError) in
            try response.json([EngageLabVoice].self)
        }
    }

    /// `GET /v4/voices/{language}`: reads the voice files of a language.
    public func readVoice(_ language: EngageLabVoiceLanguage) -> Exchange<EngageLabVoice> {
        api.call(
            .engageLabReadVoices, WireRequest(.get, .engageLab, path: ["voices", .value(language.rawValue)])
        ) { (response) throws(PushError) in try response.json(EngageLabVoice.self) }
    }

    /// `DELETE /v4/voices/{language}`, or `/v4/voices?language=` if ``deletesVoicesByQuery`` is set: deletes the voice
    /// files.
    public func removeVoice(_ language: EngageLabVoiceLanguage) -> Exchange<Void> {
        let request =
            deletesVoicesByQuery
            ? WireRequest(.delete, .engageLab, path: ["voices"], query: [QueryItem("language", language.rawValue)])
            : WireRequest(.delete, .engageLab, path: ["voices", .value(language.rawValue)])
        return api.call(.engageLabRemoveVoice, request, decode: api.done)
    }
}

/// The size in which OPPO shows an image.
public enum EngageLabImageKind: String, Sendable, Hashable {
    /// 984 by 369 pixels, at most 1 MB.
    case big
    /// 144 by 144 pixels, at most 50 KB.
    case small
}

extension EngageLab {
    /// `POST /v4/image/oppo`: turns the address of a PNG or JPEG into the id for a push's OPPO settings.
    ///
    /// Takes one image per request, because the vendor's pages disagree about two. The client does not retry after a
    /// lost response.
    public func registerOPPOImage(
        _ kind: EngageLabImageKind, at address: String
    ) throws(PushError) -> Exchange<String> {
        guard address.hasPrefix("http") else {
            throw PushError(.invalidArgument, "the image needs an address that begins with http:// or https://")
        }
        let body = WireBody.json(.object(["\(kind.rawValue)_picture_url": .string(address)]))
        return api.call(
            .engageLabRegisterImage, WireRequest(.post, .engageLab, path: ["image", "oppo"], body: body), .unkeyed
        ) { (response) throws(PushError) in
            let fields = try response.json([String: WireText?].self)
            guard let id = fields["\(kind.rawValue)_picture_id"]??.text, !id.isEmpty else {
                throw PushError(.malformedResponse, "the response has no image id", effect: .unknown)
            }
            return id
        }
    }
}
