import HuaweiDialect
public import PushAdapter

/// An update of a form, a card on the home screen of one device.
public struct HarmonyForm: Sendable, Hashable {
    /// A picture of a form.
    public struct Image: Sendable, Hashable {
        /// The key in the form's data.
        public var keyName: String
        /// An https address of a PNG or JPEG picture of at most 512 KB.
        public var url: String
        /// Whether the form is updated only with the picture; nil is the vendor's default.
        public var isRequired: Bool?

        /// A picture under a key.
        public init(keyName: String, url: String, isRequired: Bool? = nil) {
            (self.keyName, self.url, self.isRequired) = (keyName, url, isRequired)
        }
    }

    /// The id that the device gave the form.
    public var formID: Int
    /// Rises with each update; 0 starts again. A device ignores a version that it has.
    public var version: Int
    /// The module, the form and the ability, as the app declares them.
    public var moduleName: String, formName: String, abilityName: String
    /// The new data.
    public var data: [String: JSONValue]
    /// A picture; the vendor takes one.
    public var image: Image?

    /// An update of a form with new data.
    public init(
        formID: Int, version: Int, moduleName: String, formName: String, abilityName: String,
        data: [String: JSONValue], image: Image? = nil
    ) {
        (self.formID, self.version, self.data, self.image) = (formID, version, data, image)
        (self.moduleName, self.formName, self.abilityName) = (moduleName, formName, abilityName)
    }
}

extension Harmony {
    /// Updates a form on the one device that shows it. A device takes few updates a day.
    ///
    /// Refuses with `invalidArgument` a negative version, data with null or a key with `datashareproxy://`, and a
    /// picture that is not PNG or JPEG over https.
    /// - Parameters:
    ///   - form: the update.
    ///   - device: the device that shows the form.
    ///   - options: how the vendor delivers the update.
    public func update(
        _ form: HarmonyForm, on device: DeviceID, options: HarmonyOptions.PushOptions? = nil
    ) throws(PushError) -> Exchange<SendReceipt> {
        var message = Message(notification: Notification(body: "form"))
        var all = HarmonyOptions()
        all.pushOptions = options
        try message.set(all)
        let pushOptions = try HarmonyOptions.fields(of: message)["pushOptions"].fields
        for name in ["collapseKey", "backgroundMode"] where pushOptions[name].isGiven {
            throw PushError(.invalidArgument, "the harmony option pushOptions.\(name) does not fit a form; remove it")
        }
        let update = HarmonyMessage(type: .form, payload: try form.payload(), pushOptions: pushOptions)
        return try exchange(.harmonyForm, update, [device], [.devices([device])])
    }
}

extension HarmonyForm {
    fileprivate func payload() throws(PushError) -> [String: JSONValue] {
        func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the form: \(text)") }
        guard version >= 0 else { throw refusal("version is \(version); give 0 or more") }
        guard ![moduleName, formName, abilityName].contains("") else {
            throw refusal("moduleName, formName and abilityName are not empty")
        }
        guard !data.values.contains(.null), !data.keys.contains(where: { $0.contains("datashareproxy://") }) else {
            throw refusal("its data has no null, and no key with datashareproxy://")
        }
        var payload: [String: JSONValue] = [
            "formId": JSONValue(integerLiteral: formID), "version": JSONValue(integerLiteral: version),
            "moduleName": .string(moduleName), "formName": .string(formName), "abilityName": .string(abilityName),
            "formData": .object(data),
        ]
        if let image {
            let url = image.url.lowercased()
            guard url.hasPrefix("https://"), [".png", ".jpg", ".jpeg"].contains(where: url.hasSuffix) else {
                throw refusal("its picture is a PNG or JPEG over https")
            }
            var fields: [String: JSONValue] = ["keyName": .string(image.keyName), "url": .string(image.url)]
            fields["require"] = image.isRequired.map { $0 ? 1 : 0 }
            payload["images"] = [.object(fields)]
        }
        return payload
    }
}
