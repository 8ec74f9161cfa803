import JiguangDialect
public import PushAdapter

/// A device that gets the messages sent with `test_model`.
public struct JPushTestDevice: Sendable, Hashable, Decodable {
    /// The name given at registration.
    public let name: String
    /// The device's registration id.
    public let device: DeviceID
    /// The phone's model.
    public let model: String?

    /// When the device registered, in the vendor's form.
    public let registeredAt: String?
    /// When the device became a test device, in the vendor's form.
    public let createdAt: String?

    private enum CodingKeys: String, CodingKey {
        case name = "device_name"
        case device = "registration_id"
        case model = "device_model"
        case registeredAt = "registration_time"
        case createdAt = "create_time"
    }
}

/// A filter for the list of test devices.
public enum JPushTestDeviceFilter: Sendable, Hashable {
    /// A part of the name matches.
    case name(String)
    /// Only this device matches.
    case device(DeviceID)
}

extension JPush {
    /// `POST /v3/test/model/add`: registers a test device. Needs a contract.
    public func addTestDevice(_ device: DeviceID, named name: String) throws(PushError) -> Exchange<Void> {
        try changeTestDevice(.jpushAddTestDevice, .post, "add", device, name)
    }

    /// `PUT /v3/test/model/update`: renames a test device.
    public func updateTestDevice(_ device: DeviceID, named name: String) throws(PushError) -> Exchange<Void> {
        try changeTestDevice(.jpushUpdateTestDevice, .put, "update", device, name)
    }

    /// `DELETE /v3/test/model/delete/{registration_id}`: removes a test device.
    public func removeTestDevice(_ device: DeviceID) -> Exchange<Void> {
        api.call(
            .jpushRemoveTestDevice, WireRequest(.delete, .jpushTest, path: ["delete", .value(device.rawValue)]),
            checking: [.devices([device])], decode: api.done)
    }

    /// `GET /v3/test/model/list`: lists a page of test devices. Pages start at 1.
    public func listTestDevices(
        _ filter: JPushTestDeviceFilter? = nil, page: Int = 1, pageSize: Int = 200
    ) throws(PushError) -> Exchange<Page<JPushTestDevice>> {
        guard page >= 1, pageSize >= 1 else {
            throw PushError(.invalidArgument, "page \(page) with size \(pageSize): both start at 1")
        }
        var query = [QueryItem("page", String(page)), QueryItem("page_size", String(pageSize))]
        var devices: [DeviceID] = []
        switch filter {
        case nil: break
        case .name(let name): query.append(QueryItem("device_name", name))
        case .device(let device):
            query.append(QueryItem("registration_id", device.rawValue))
            devices = [device]
        }
        struct Reply: Decodable {
            var total: Int
            var page: Int
            var size: Int?
            var detail: [JPushTestDevice]

            enum CodingKeys: String, CodingKey {
                case total, page, detail
                case size = "page_size"
            }
        }
        return api.call(
            .jpushListTestDevices, WireRequest(.get, .jpushTest, path: ["list"], query: query),
            checking: [.devices(devices)]
        ) { (response) throws(PushError) in
            let reply = try response.json(Reply.self)
            return Page(reply.detail, number: reply.page, total: reply.total, size: reply.size ?? pageSize)
        }
    }

    private func changeTestDevice(
        _ operation: Feature, _ method: HTTPRequest.Method, _ word: PathSegment, _ device: DeviceID, _ name: String
    ) throws(PushError) -> Exchange<Void> {
        guard !name.isEmpty else { throw PushError(.invalidArgument, "the test device has no name; give it one") }
        let body: JSONValue = ["device_name": .string(name), "registration_id": .string(device.rawValue)]
        return api.call(
            operation, WireRequest(method, .jpushTest, path: [word], body: .json(body)),
            checking: [.devices([device])], decode: api.done)
    }
}
