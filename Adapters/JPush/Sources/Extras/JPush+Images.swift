import JiguangDialect
public import PushAdapter

/// The use of an image in notifications.
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
    /// The vendor's `media_id`. Use it in a notification, or to replace the image.
    public let id: String
    /// The image's address for each channel, under the vendor's keys: `jiguang_image_url`, `xiaomi_image_url`.
    public let addresses: [String: String]
}

extension JPush {
    /// `POST /v3/images/byurls`, or `PUT /v3/images/byurls/{media_id}` to replace an image: registers images by
    /// address.
    /// - Parameters:
    ///   - kind: the use of the image in notifications.
    ///   - addresses: under the vendor's keys: `image_url`, `xiaomi_image_url`, `oppo_image_url`.
    ///   - id: the existing image to replace; nil to create one.
    public func registerImage(
        _ kind: JPushImageKind, at addresses: [String: String], replacing id: String? = nil
    ) throws(PushError) -> Exchange<JPushImage> {
        guard !addresses.isEmpty else { throw PushError(.invalidArgument, "the list of image addresses is empty") }
        var fields: WireObject = addresses.mapValues(JSONValue.string)
        fields["image_type"] = JSONValue(integerLiteral: kind.rawValue)
        return image("byurls", id, .json(.object(fields)))
    }

    /// `POST /v3/images/byfiles`, or `PUT /v3/images/byfiles/{media_id}` to replace an image: uploads files of this
    /// machine.
    /// - Parameters:
    ///   - kind: the use of the image in notifications.
    ///   - files: paths under the vendor's keys: `image_file`, `xiaomi_image_file`, `oppo_image_file`.
    ///   - id: the existing image to replace; nil to create one.
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
        api.call(
            .jpushRegisterImage,
            WireRequest(
                id == nil ? .post : .put, .jpushImages, path: [word] + (id.map { [.value($0)] } ?? []), body: body),
            // A repeated replacement is harmless; a repeated creation makes two images.
            id == nil ? .unkeyed : .idempotent
        ) { (response) throws(PushError) in
            var texts = try response.json(WireObject.self).compactMapValues(\.stringValue)
            guard let id = texts.removeValue(forKey: "media_id") else {
                throw PushError(.malformedResponse, "the response has no media_id", effect: .unknown)
            }
            return JPushImage(id: id, addresses: texts)
        }
    }
}
