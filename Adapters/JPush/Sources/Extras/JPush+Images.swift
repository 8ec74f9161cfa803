public import PushAdapter

/// How a notification shows an image.
public enum JPushImageKind: Int, Sendable, Hashable {
    /// The picture of a notification in style 3.
    case big = 1
    /// The large icon of a notification.
    case largeIcon = 2
    /// The small icon of a notification.
    case smallIcon = 3
}

/// An image that the vendor stores.
public struct JPushImage: Sendable, Hashable {
    /// The vendor's `media_id`: refers to the image in a notification, and when you replace it.
    public let id: String
    /// The image's address for each channel, by the vendor's own keys: `jiguang_image_url`, `xiaomi_image_url`.
    public let addresses: [String: String]
}

extension JPush {
    /// `POST /v3/images/byurls`, or `PUT /v3/images/byurls/{media_id}` to replace: registers images by address.
    /// - Parameters:
    ///   - kind: how notifications show it.
    ///   - addresses: by the vendor's keys: `image_url`, `xiaomi_image_url`, `oppo_image_url`.
    ///   - id: the existing image to replace; nil creates one.
    public func registerImage(
        _ kind: JPushImageKind, at addresses: [String: String], replacing id: String? = nil
    ) throws(PushError) -> Exchange<JPushImage> {
        guard !addresses.isEmpty else { throw PushError(.invalidArgument, "the list of image addresses is empty") }
        var fields: WireObject = addresses.mapValues(JSONValue.string)
        fields["image_type"] = JSONValue(integerLiteral: kind.rawValue)
        return image("byurls", id, Self.json(.object(fields)))
    }

    /// `POST /v3/images/byfiles`, or `PUT /v3/images/byfiles/{media_id}` to replace: uploads files of this machine.
    /// - Parameters:
    ///   - kind: how notifications show it.
    ///   - files: paths by the vendor's keys: `image_file`, `xiaomi_image_file`, `oppo_image_file`.
    ///   - id: the existing image to replace; nil creates one.
    public func uploadImage(
        _ kind: JPushImageKind, from files: [String: String], replacing id: String? = nil
    ) throws(PushError) -> Exchange<JPushImage> {
        guard !files.isEmpty else { throw PushError(.invalidArgument, "the list of image files is empty") }
        let parts = files.sorted { $0.key < $1.key }.map { name, path in
            WirePart(name, .file(path), fileName: String(path.split(separator: "/").last ?? "image"))
        }
        let type = WirePart("image_type", .bytes(Array(String(kind.rawValue).utf8)))
        return image("byfiles", id, .multipart([type] + parts))
    }

    private func image(_ word: PathSegment, _ id: String?, _ body: WireBody) -> Exchange<JPushImage> {
        call(
            .jpushRegisterImage,
            WireRequest(
                id == nil ? .post : .put, .jpushImages, path: [word] + (id.map { [.value($0)] } ?? []), body: body),
            // Replacing the same image twice is harmless; creating it twice creates two.
            id == nil ? .unkeyed : .idempotent, from: .jpushPush
        ) { (response) throws(PushError) in
            var texts = try response.json(WireObject.self).compactMapValues(\.stringValue)
            guard let id = texts.removeValue(forKey: "media_id") else {
                throw PushError(.malformedResponse, "the response has no media_id", effect: .unknown)
            }
            return JPushImage(id: id, addresses: texts)
        }
    }
}
