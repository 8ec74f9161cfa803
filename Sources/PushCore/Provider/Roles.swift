/// The calls of the model that a vendor has: a function for each makes its one request, and nil says that the vendor
/// has no such call. What a provider supports follows from it (``features``), so nothing is said twice.
///
/// ```swift
/// var roles = Roles()
/// roles.send = send
/// roles.tags.add = addTags
/// ```
public struct Roles: Sendable {
    /// Sends a message to an audience that fits one request, with a key where the vendor takes one.
    public var send: MessageCall?
    /// Lets the vendor check a message without delivering it.
    public var validate: (@Sendable (Message, Audience) throws(PushError) -> Exchange<SendReceipt>)?
    /// Asks the vendor for this number of idempotency keys: for schedules if the operation creates one, else for pushes.
    public var mintKeys: (@Sendable (Int, Feature) throws(PushError) -> Exchange<[IdempotencyKey]>)?
    /// Reads and changes the tags of a device.
    public var tags = TagCalls()
    /// Reads and changes the alias of a device; looks up and deletes aliases by name.
    public var alias = AliasCalls()
    /// Reads and changes the phone number of a device.
    public var phone = PhoneCalls()
    /// Reads and changes the accounts of a device.
    public var accounts = AccountCalls()
    /// Reads and changes the attributes of a device.
    public var attributes = AttributeCalls()
    /// Keeps messages at the vendor to be sent later.
    public var schedules = ScheduleCalls()
    /// Reads what became of messages, as many as the vendor takes at once.
    public var readDeliveries: (@Sendable ([MessageID]) throws(PushError) -> Exchange<[DeliveryReport]>)?
    /// Makes a call that changes nothing and succeeds exactly when the credentials belong to the data center.
    public var probe: (@Sendable () throws(PushError) -> Exchange<Void>)?

    /// Makes the request that sends a message; refuses options that the vendor does not have with `invalidArgument`.
    public typealias MessageCall =
        @Sendable (Message, Audience, IdempotencyKey?) throws(PushError) -> Exchange<SendReceipt>
    /// Makes the request that reads something of a device.
    public typealias Read<Output: Sendable> = @Sendable (DeviceID) throws(PushError) -> Exchange<Output>
    /// Makes the request that writes something to a device.
    public typealias Write<Value, Output: Sendable> =
        @Sendable (Value, DeviceID) throws(PushError) -> Exchange<Output>

    /// No calls.
    public init() {}
}

/// The calls about the tags of a device.
public struct TagCalls: Sendable {
    /// Lists the tags.
    public var read: Roles.Read<Set<Tag>>?
    /// Asks whether the device has a tag.
    public var test: Roles.Write<Tag, Bool>?
    /// Gives the device these tags beside those it has.
    public var add: Roles.Write<Set<Tag>, Void>?
    /// Takes these tags off.
    public var remove: Roles.Write<Set<Tag>, Void>?
    /// Makes the tags exactly this set; refuses a set that the vendor's call would not replace with `unsupported`.
    public var replace: Roles.Write<Set<Tag>, Void>?
    /// Takes all tags off.
    public var clear: Roles.Read<Void>?

    /// No calls.
    public init() {}

    /// Makes every change by one call, for a vendor that has one for all kinds.
    public mutating func update(by call: @escaping Roles.Write<TagUpdate, Void>) {
        add = { (tags, device) throws(PushError) in try call(.add(tags), device) }
        remove = { (tags, device) throws(PushError) in try call(.remove(tags), device) }
        replace = { (tags, device) throws(PushError) in try call(.replace(tags), device) }
        clear = { (device) throws(PushError) in try call(.clear, device) }
    }

    /// The request that makes a change; nil where the vendor has no call for it.
    public func update(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void>? {
        switch change {
        case .add(let tags): try add?(tags, device)
        case .remove(let tags): try remove?(tags, device)
        case .replace(let tags): try replace?(tags, device)
        case .clear: try clear?(device)
        }
    }
}

/// The calls about aliases: of a device, and by name.
public struct AliasCalls: Sendable {
    /// Reads the alias of a device; it answers nil for none.
    public var read: Roles.Read<Alias?>?
    /// Gives a device an alias.
    public var set: Roles.Write<Alias, Void>?
    /// Takes the alias off a device.
    public var remove: Roles.Read<Void>?
    /// Lists the devices of an alias; none for one that the vendor does not know.
    public var devices: (@Sendable (Alias) throws(PushError) -> Exchange<Set<DeviceID>>)?
    /// Takes an alias off every device; harmless when none has it.
    public var delete: (@Sendable (Alias) throws(PushError) -> Exchange<Void>)?

    /// No calls.
    public init() {}
}

/// The calls about the phone number that a vendor sends text messages to.
public struct PhoneCalls: Sendable {
    /// Reads the number of a device; it answers nil for none.
    public var read: Roles.Read<PhoneNumber?>?
    /// Gives a device a number.
    public var set: Roles.Write<PhoneNumber, Void>?
    /// Takes the number off a device.
    public var remove: Roles.Read<Void>?

    /// No calls.
    public init() {}
}

/// The calls about the accounts that are logged in on a device.
public struct AccountCalls: Sendable {
    /// Lists the accounts. A vendor that does not tell their types leaves them nil.
    public var read: Roles.Read<Set<Account>>?
    /// Lists the devices of an account; of every type for one without a type. A vendor that goes by the name alone may
    /// list devices of other types as well, and its adapter says so.
    public var devices: (@Sendable (Account) throws(PushError) -> Exchange<Set<DeviceID>>)?
    /// Binds these accounts.
    public var add: Roles.Write<Set<Account>, Void>?
    /// Unbinds these accounts.
    public var remove: Roles.Write<Set<Account>, Void>?
    /// Makes the accounts exactly this set.
    public var replace: Roles.Write<Set<Account>, Void>?
    /// Unbinds all accounts.
    public var clear: Roles.Read<Void>?

    /// No calls.
    public init() {}

    /// Makes every change by one call, for a vendor that has one for all kinds.
    public mutating func update(by call: @escaping Roles.Write<AccountUpdate, Void>) {
        add = { (accounts, device) throws(PushError) in try call(.add(accounts), device) }
        remove = { (accounts, device) throws(PushError) in try call(.remove(accounts), device) }
        replace = { (accounts, device) throws(PushError) in try call(.replace(accounts), device) }
        clear = { (device) throws(PushError) in try call(.clear, device) }
    }

    /// The request that makes a change; nil where the vendor has no call for it.
    public func update(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void>? {
        switch change {
        case .add(let accounts): try add?(accounts, device)
        case .remove(let accounts): try remove?(accounts, device)
        case .replace(let accounts): try replace?(accounts, device)
        case .clear: try clear?(device)
        }
    }
}

/// The calls about the attributes of a device.
public struct AttributeCalls: Sendable {
    /// Lists the attributes.
    public var read: Roles.Read<[String: String]>?
    /// Sets these attributes beside the others.
    public var add: Roles.Write<[String: String], AttributeReceipt>?
    /// Takes the attributes with these names off.
    public var remove: Roles.Write<Set<String>, AttributeReceipt>?
    /// Makes the attributes exactly these.
    public var replace: Roles.Write<[String: String], AttributeReceipt>?
    /// Takes all attributes off.
    public var clear: Roles.Read<AttributeReceipt>?

    /// No calls.
    public init() {}

    /// Makes every change by one call, for a vendor that has one for all kinds.
    public mutating func update(by call: @escaping Roles.Write<AttributeUpdate, AttributeReceipt>) {
        add = { (attributes, device) throws(PushError) in try call(.add(attributes), device) }
        remove = { (names, device) throws(PushError) in try call(.remove(names), device) }
        replace = { (attributes, device) throws(PushError) in try call(.replace(attributes), device) }
        clear = { (device) throws(PushError) in try call(.clear, device) }
    }

    /// The request that makes a change; nil where the vendor has no call for it.
    public func update(
        _ change: AttributeUpdate, of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt>? {
        switch change {
        case .add(let attributes): try add?(attributes, device)
        case .remove(let names): try remove?(names, device)
        case .replace(let attributes): try replace?(attributes, device)
        case .clear: try clear?(device)
        }
    }
}

/// The calls about messages that the vendor keeps and sends by itself.
public struct ScheduleCalls: Sendable {
    /// Creates a schedule and answers its id; harmless to repeat with a key only.
    public var create: (@Sendable (Schedule, IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID>)?
    /// Reads what the vendor keeps of a schedule.
    public var read: (@Sendable (ScheduleID) throws(PushError) -> Exchange<ScheduleStatus>)?
    /// Lists a page of schedules, from 1; one past the end is empty.
    public var list: (@Sendable (Int) throws(PushError) -> Exchange<Page<ScheduleStatus>>)?
    /// Ends a schedule.
    public var remove: (@Sendable (ScheduleID) throws(PushError) -> Exchange<Void>)?

    /// No calls.
    public init() {}
}

extension Roles {
    /// Every operation of the model, and whether it has a call.
    package static let operations: [Feature: @Sendable (Roles) -> Bool] = [
        .send: { $0.send != nil }, .validate: { $0.validate != nil }, .mintKeys: { $0.mintKeys != nil },
        .readTags: { $0.tags.read != nil }, .testTag: { $0.tags.test != nil }, .addTags: { $0.tags.add != nil },
        .removeTags: { $0.tags.remove != nil }, .replaceTags: { $0.tags.replace != nil },
        .clearTags: { $0.tags.clear != nil }, .readAlias: { $0.alias.read != nil },
        .setAlias: { $0.alias.set != nil }, .removeAlias: { $0.alias.remove != nil },
        .readAliasDevices: { $0.alias.devices != nil }, .deleteAlias: { $0.alias.delete != nil },
        .readPhone: { $0.phone.read != nil }, .setPhone: { $0.phone.set != nil },
        .removePhone: { $0.phone.remove != nil }, .readAccounts: { $0.accounts.read != nil },
        .readAccountDevices: { $0.accounts.devices != nil }, .addAccounts: { $0.accounts.add != nil },
        .removeAccounts: { $0.accounts.remove != nil }, .replaceAccounts: { $0.accounts.replace != nil },
        .clearAccounts: { $0.accounts.clear != nil }, .readAttributes: { $0.attributes.read != nil },
        .addAttributes: { $0.attributes.add != nil }, .removeAttributes: { $0.attributes.remove != nil },
        .replaceAttributes: { $0.attributes.replace != nil }, .clearAttributes: { $0.attributes.clear != nil },
        .createSchedule: { $0.schedules.create != nil }, .readSchedule: { $0.schedules.read != nil },
        .listSchedules: { $0.schedules.list != nil }, .removeSchedule: { $0.schedules.remove != nil },
        .readDeliveries: { $0.readDeliveries != nil }, .probeCredentials: { $0.probe != nil },
    ]

    /// The operations that have a call.
    public var features: [Feature] { Self.operations.filter { $0.value(self) }.keys.sorted() }
}

extension Capabilities {
    /// Declares the operations of the model that have a call as native; what was said before stays.
    public mutating func declare(_ roles: Roles) {
        for feature in roles.features where support[feature] == nil { support[feature] = .native }
    }
}
