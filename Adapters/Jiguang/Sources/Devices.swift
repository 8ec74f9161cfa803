package import PushAdapter

/// The keys of a device in the vendor's form.
package protocol DeviceKey: CodingKey, Sendable {
    static var tags: Self { get }
    static var alias: Self { get }
    /// Nil if the vendor's API has no phone numbers.
    static var phone: Self? { get }
    /// Whether a device without values is an empty object.
    static var mayAllBeMissing: Bool { get }
}

/// A device's values. Any may be null or missing. An object with only other keys is not from the vendor.
package struct DeviceReply<Key: DeviceKey>: Decodable {
    package let tags: Set<Tag>
    package let alias: Alias?
    package let phone: PhoneNumber?

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if fields.allKeys.isEmpty {
            guard Key.mayAllBeMissing, try decoder.singleValueContainer().decode([String: JSONValue].self).isEmpty
            else {
                throw DecodingError.keyNotFound(
                    Key.tags, .init(codingPath: decoder.codingPath, debugDescription: "no key of a device"))
            }
        }
        func text(_ key: Key) throws -> String? {
            try fields.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
        tags = Set((try fields.decodeIfPresent([String].self, forKey: .tags) ?? []).map { Tag($0) })
        alias = try text(.alias).map { Alias($0) }
        phone = try Key.phone.flatMap(text).map { PhoneNumber($0) }
    }
}

extension Dialect {
    /// Reads a device's values.
    package func readDevice<Key: DeviceKey, Output>(
        _ device: DeviceID, _ operation: Feature, _ keys: Key.Type,
        _ pick: @escaping @Sendable (DeviceReply<Key>) -> Output
    ) -> Exchange<Output> {
        call(operation, request(.get, "devices", [.value(device.rawValue)]), of: device) {
            (response) throws(PushError) in pick(try response.json(DeviceReply<Key>.self))
        }
    }

    /// Writes a change of a device's tags.
    package func write(_ update: DeviceUpdate, tagsTo json: inout JSONWriter) throws(PushError) {
        let lists: [(name: String, tags: Set<Tag>)]
        switch update.tags {
        case nil: return
        case .add(let tags): lists = [("add", tags), ("remove", update.removedTags)]
        case .remove(let tags): lists = [("remove", tags)]
        // An empty text clears the tags; an empty list does not.
        case .clear: return json.field("tags", "")
        case .replace: throw PushError(.unsupported, "\(name) can add and remove tags but cannot replace them")
        }
        try json.object("tags") { json in
            for (index, list) in lists.enumerated() where index == 0 || !list.tags.isEmpty {
                json.field(list.name, list.tags.sorted())
            }
        }
    }
}
