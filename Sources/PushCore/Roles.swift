/// The parts of the model that a provider implements natively; nil for each that it does not.
public struct Roles: Sendable {
    public var sending: (any MessageSending)?
    public var validating: (any MessageValidating)?
    public var keyMinting: (any KeyMinting)?
    public var tagging: (any DeviceTagging)?
    public var aliasing: (any DeviceAliasing)?
    public var phoneBinding: (any PhoneBinding)?
    public var scheduling: (any MessageScheduling)?
    public var reporting: (any DeliveryReporting)?
    public var probing: (any CredentialProbing)?

    public init(
        sending: (any MessageSending)? = nil, validating: (any MessageValidating)? = nil,
        keyMinting: (any KeyMinting)? = nil, tagging: (any DeviceTagging)? = nil,
        aliasing: (any DeviceAliasing)? = nil, phoneBinding: (any PhoneBinding)? = nil,
        scheduling: (any MessageScheduling)? = nil, reporting: (any DeliveryReporting)? = nil,
        probing: (any CredentialProbing)? = nil
    ) {
        self.sending = sending
        self.validating = validating
        self.keyMinting = keyMinting
        self.tagging = tagging
        self.aliasing = aliasing
        self.phoneBinding = phoneBinding
        self.scheduling = scheduling
        self.reporting = reporting
        self.probing = probing
    }
}

/// Sends a message to an audience that fits one request.
public protocol MessageSending: Sendable {
    func send(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt>
}

/// Lets the vendor check a message without delivering it.
public protocol MessageValidating: Sendable {
    func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt>
}

/// Asks the vendor for idempotency keys, where the vendor makes them.
public protocol KeyMinting: Sendable {
    func mintKeys(_ count: Int, for operation: Feature) throws(PushError) -> Exchange<[IdempotencyKey]>
}

/// Reads and changes the tags of a device.
public protocol DeviceTagging: Sendable {
    func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>>
    func updateTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void>
    func testTag(_ tag: Tag, of device: DeviceID) throws(PushError) -> Exchange<Bool>
}

/// Reads and changes the alias of a device.
public protocol DeviceAliasing: Sendable {
    func readAlias(of device: DeviceID) throws(PushError) -> Exchange<Alias?>
    /// Nil removes the alias.
    func setAlias(_ alias: Alias?, of device: DeviceID) throws(PushError) -> Exchange<Void>
}

/// Reads and changes the phone number that a vendor sends text messages to.
public protocol PhoneBinding: Sendable {
    func readPhone(of device: DeviceID) throws(PushError) -> Exchange<PhoneNumber?>
    /// Nil removes the number.
    func setPhone(_ phone: PhoneNumber?, of device: DeviceID) throws(PushError) -> Exchange<Void>
}

/// Lets the vendor keep messages and send them by itself.
public protocol MessageScheduling: Sendable {
    func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID>
    func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus>
    /// A page from 1; one past the end is empty.
    func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>>
    func removeSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<Void>
}

/// Reads what became of messages.
public protocol DeliveryReporting: Sendable {
    func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]>
}

/// Makes a call that changes nothing and succeeds exactly when the credentials belong to the data centre.
public protocol CredentialProbing: Sendable {
    func probe() throws(PushError) -> Exchange<Void>
}
