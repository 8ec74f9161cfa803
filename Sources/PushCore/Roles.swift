/// The parts of the model that a provider implements natively; nil for each that it does not.
public struct Roles: Sendable {
    /// Sends messages.
    public var sending: (any MessageSending)?
    /// Lets the vendor check messages.
    public var validating: (any MessageValidating)?
    /// Gets idempotency keys from the vendor.
    public var keyMinting: (any KeyMinting)?
    /// Reads and changes the tags of devices.
    public var tagging: (any DeviceTagging)?
    /// Reads and changes the aliases of devices.
    public var aliasing: (any DeviceAliasing)?
    /// Looks up and deletes aliases, whichever devices have them.
    public var aliasDeleting: (any AliasDeleting)?
    /// Reads and changes the phone numbers of devices.
    public var phoneBinding: (any PhoneBinding)?
    /// Reads and changes the accounts of devices.
    public var accountBinding: (any AccountBinding)?
    /// Reads and changes the attributes of devices.
    public var attributing: (any DeviceAttributing)?
    /// Keeps messages at the vendor to be sent later.
    public var scheduling: (any MessageScheduling)?
    /// Reads what became of messages.
    public var reporting: (any DeliveryReporting)?
    /// Checks credentials.
    public var probing: (any CredentialProbing)?

    /// The roles that a provider has; those left out it does not have.
    public init(
        sending: (any MessageSending)? = nil, validating: (any MessageValidating)? = nil,
        keyMinting: (any KeyMinting)? = nil, tagging: (any DeviceTagging)? = nil,
        aliasing: (any DeviceAliasing)? = nil, aliasDeleting: (any AliasDeleting)? = nil,
        phoneBinding: (any PhoneBinding)? = nil, accountBinding: (any AccountBinding)? = nil,
        attributing: (any DeviceAttributing)? = nil,
        scheduling: (any MessageScheduling)? = nil, reporting: (any DeliveryReporting)? = nil,
        probing: (any CredentialProbing)? = nil
    ) {
        self.sending = sending
        self.validating = validating
        self.keyMinting = keyMinting
        self.tagging = tagging
        self.aliasing = aliasing
        self.aliasDeleting = aliasDeleting
        self.phoneBinding = phoneBinding
        self.accountBinding = accountBinding
        self.attributing = attributing
        self.scheduling = scheduling
        self.reporting = reporting
        self.probing = probing
    }
}

/// Sends a message to an audience that fits one request.
public protocol MessageSending: Sendable {
    /// The one request that sends a message. Refuses options that the vendor does not have with `invalidArgument`.
    func send(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt>
}

/// Lets the vendor check a message without delivering it.
public protocol MessageValidating: Sendable {
    /// The one request that checks a message. Refuses options that the vendor does not have with `invalidArgument`.
    func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt>
}

/// Asks the vendor for idempotency keys, where the vendor makes them.
public protocol KeyMinting: Sendable {
    /// The one request for so many keys, for pushes or for schedules as the operation says.
    func mintKeys(_ count: Int, for operation: Feature) throws(PushError) -> Exchange<[IdempotencyKey]>
}

/// Reads and changes the tags of a device.
public protocol DeviceTagging: Sendable {
    /// The one request that lists the tags of a device.
    func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>>
    /// The one request that makes the whole change. Refuses one that the vendor has no call for with `unsupported`.
    func updateTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void>
    /// The one request that asks whether a device has a tag.
    func testTag(_ tag: Tag, of device: DeviceID) throws(PushError) -> Exchange<Bool>
}

/// Reads and changes the alias of a device.
public protocol DeviceAliasing: Sendable {
    /// The one request that reads the alias of a device; it answers nil for none.
    func readAlias(of device: DeviceID) throws(PushError) -> Exchange<Alias?>
    /// The one request that gives a device an alias; nil removes the one it has. Refuses what the vendor has no call
    /// for with `unsupported`.
    func setAlias(_ alias: Alias?, of device: DeviceID) throws(PushError) -> Exchange<Void>
}

/// Looks up an alias and takes it off all devices that have it.
public protocol AliasDeleting: Sendable {
    /// The one request that lists the devices of an alias; none for one that the vendor does not know.
    func readDevices(of alias: Alias) throws(PushError) -> Exchange<Set<DeviceID>>
    /// The one request that takes an alias off every device; harmless when none has it.
    func deleteAlias(_ alias: Alias) throws(PushError) -> Exchange<Void>
}

/// Reads and changes the phone number that a vendor sends text messages to.
public protocol PhoneBinding: Sendable {
    /// The one request that reads the phone number of a device; it answers nil for none.
    func readPhone(of device: DeviceID) throws(PushError) -> Exchange<PhoneNumber?>
    /// Nil removes the number.
    func setPhone(_ phone: PhoneNumber?, of device: DeviceID) throws(PushError) -> Exchange<Void>
}

/// Reads and changes which accounts are logged in on a device.
public protocol AccountBinding: Sendable {
    /// The one request that lists the accounts of a device. A vendor that does not tell their types leaves them nil.
    func readAccounts(of device: DeviceID) throws(PushError) -> Exchange<Set<Account>>
    /// The one request that lists the devices of an account; of every type for one without a type. A vendor that goes
    /// by the name alone may list devices of other types as well, and its adapter says so.
    func readDevices(of account: Account) throws(PushError) -> Exchange<Set<DeviceID>>
    /// The one request that makes the whole change. Refuses one that the vendor has no call for with `unsupported`.
    func updateAccounts(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void>
}

/// Reads and changes the attributes of a device.
public protocol DeviceAttributing: Sendable {
    /// The one request that lists the attributes of a device.
    func readAttributes(of device: DeviceID) throws(PushError) -> Exchange<[String: String]>
    /// The one request that makes the whole change. Refuses one that the vendor has no call for with `unsupported`.
    func updateAttributes(
        _ change: AttributeUpdate, of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt>
}

/// Lets the vendor keep messages and send them by itself.
public protocol MessageScheduling: Sendable {
    /// The one request that creates a schedule and answers its id; harmless to repeat with a key only.
    func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID>
    /// The one request that reads what the vendor keeps of a schedule.
    func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus>
    /// A page from 1; one past the end is empty.
    func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>>
    /// The one request that ends a schedule.
    func removeSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<Void>
}

/// Reads what became of messages.
public protocol DeliveryReporting: Sendable {
    /// The one request that reports on messages, as many as the vendor takes at once.
    func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]>
}

/// Makes a call that changes nothing and succeeds exactly when the credentials belong to the data centre.
public protocol CredentialProbing: Sendable {
    /// The one request of the check; it answers nothing.
    func probe() throws(PushError) -> Exchange<Void>
}
