public import FoundationEssentials

/// The calls of the model that a vendor has. Each function makes one request; nil means that the vendor does not have
/// the call. ``features`` derives what a provider supports, so an adapter states nothing twice.
///
/// ```swift
/// var roles = Roles()
/// roles.send = encode
/// roles.tags.add = addTags
/// ```
public struct Roles: Sendable {
    /// Encodes a message, and sends it to audiences that fit one request, with the context's key where the vendor takes
    /// one.
    public var send: Encode?
    /// Says what a send of a message leaves out, for a dry run; nil for a vendor that writes or refuses every field.
    public var remarks: (@Sendable (Message) -> [String])?
    /// Has the vendor check a message without delivering it.
    public var validate: MessageCall?
    /// Requests this many idempotency keys: for schedules if the operation creates one, else for pushes.
    public var mintKeys: (@Sendable (Int, Feature) throws(PushError) -> Exchange<[IdempotencyKey]>)?
    /// Makes the access tokens that sign requests; nil for a vendor whose keys sign them.
    public var tokens: TokenMinting?
    /// Reads and changes the tags of a device.
    public var tags = TagCalls()
    /// Reads and changes the alias of a device; looks up and deletes aliases by name.
    public var alias = AliasCalls()
    /// Changes several things of a device in one request; refuses a thing that the request cannot change, with
    /// `unsupported`.
    public var updateDevice: Write<DeviceUpdate, Void>?
    /// Reads and changes the phone number of a device.
    public var phone = PhoneCalls()
    /// Reads and changes the accounts of a device.
    public var accounts = AccountCalls()
    /// Reads and changes the attributes of a device.
    public var attributes = AttributeCalls()
    /// Creates, reads, lists and ends schedules.
    public var schedules = ScheduleCalls()
    /// Reads the delivery counts of messages, as many as the vendor accepts at once.
    public var readDeliveries: (@Sendable ([MessageID]) throws(PushError) -> Exchange<[DeliveryReport]>)?
    /// Makes a call that changes nothing and succeeds exactly when the credentials belong to the data center.
    public var probe: (@Sendable () throws(PushError) -> Exchange<Void>)?
    /// Why the vendor does not take a target because of its form, where length and characters do not decide that, such
    /// as a prefix that names another region; nil for a target that it may take. No request: the client asks for each
    /// target of a list that keeps the limits, often millions, and reports a refused one as `malformed`. Its message
    /// must not quote the target.
    public var refusal: (@Sendable (Target) -> PushError?)?

    /// Encodes a message at a moment; the result makes the request for each audience. Refuses options that the vendor
    /// does not have, with `invalidArgument`. The client uses the result for all requests with this message in the same
    /// second, so a list is not encoded once for each target.
    public typealias Encode = @Sendable (Message, Date) throws(PushError) -> SendRequest
    /// Makes the request that sends a message, which is already encoded, to an audience.
    public typealias SendRequest = @Sendable (Audience, SendContext) throws(PushError) -> Exchange<SendReceipt>
    /// Makes the request about a message and an audience; refuses options that the vendor does not have, with
    /// `invalidArgument`.
    public typealias MessageCall =
        @Sendable (Message, Audience, SendContext) throws(PushError) -> Exchange<SendReceipt>
    /// Makes the request that reads something from a device.
    public typealias Read<Output: Sendable> = @Sendable (DeviceID) throws(PushError) -> Exchange<Output>
    /// Makes the request that writes something to a device.
    public typealias Write<Value, Output: Sendable> =
        @Sendable (Value, DeviceID) throws(PushError) -> Exchange<Output>

    /// No calls.
    public init() {}
}

extension PushProvider {
    /// The request that sends a message to an audience, for code that has no client, such as a test of an adapter.
    ///
    /// Refuses with `unsupported` if the vendor does not send. Checks no limits: the client does.
    public func send(
        _ message: Message, to audience: Audience, in context: SendContext = SendContext(at: Date())
    ) throws(PushError) -> Exchange<SendReceipt> {
        guard let encode = roles.send else { throw PushError(.unsupported, "\(id) does not send", operation: .send) }
        return try encode(message, context.now)(audience, context)
    }
}

/// The calls about the tags of a device.
public struct TagCalls: Sendable {
    /// Lists the tags.
    public var read: Roles.Read<Set<Tag>>?
    /// Checks whether the device has a tag.
    public var test: Roles.Write<Tag, Bool>?
    /// Adds these tags and keeps the others.
    public var add: Roles.Write<Set<Tag>, Void>?
    /// Removes these tags.
    public var remove: Roles.Write<Set<Tag>, Void>?
    /// Replaces the tags with this set; refuses a set that the vendor's call would not replace, with `unsupported`.
    public var replace: Roles.Write<Set<Tag>, Void>?
    /// Removes all tags.
    public var clear: Roles.Read<Void>?
    /// Changes which devices have a tag, as many as `limits[.devicesPerTagCall]`; the receipt names devices that the
    /// vendor skipped. A repeated call must have no further effect.
    public var changeMembers: (@Sendable (Tag, MemberUpdate) throws(PushError) -> Exchange<SendReceipt>)?

    /// No calls.
    public init() {}

    /// Makes every change with one call, for a vendor that has one call for all kinds.
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
    /// Reads the alias of a device; nil for none.
    public var read: Roles.Read<Alias?>?
    /// Gives a device an alias.
    public var set: Roles.Write<Alias, Void>?
    /// Removes the alias from a device.
    public var remove: Roles.Read<Void>?
    /// Lists the devices of an alias; empty for an alias that the vendor does not know.
    public var devices: (@Sendable (Alias) throws(PushError) -> Exchange<Set<DeviceID>>)?
    /// Removes an alias from every device; harmless when none has it.
    public var delete: (@Sendable (Alias) throws(PushError) -> Exchange<Void>)?

    /// No calls.
    public init() {}
}

/// The calls about the phone number that a vendor sends text messages to.
public struct PhoneCalls: Sendable {
    /// Reads the number of a device; nil for none.
    public var read: Roles.Read<PhoneNumber?>?
    /// Gives a device a number.
    public var set: Roles.Write<PhoneNumber, Void>?
    /// Removes the number from a device.
    public var remove: Roles.Read<Void>?

    /// No calls.
    public init() {}
}

/// The calls about the accounts that are logged in on a device.
public struct AccountCalls: Sendable {
    /// Lists the accounts; their types are nil where the vendor does not report them.
    public var read: Roles.Read<Set<Account>>?
    /// Lists the devices of an account; without a type, those of every type. A vendor that compares only the name may
    /// also list devices of other types; its adapter says so.
    public var devices: (@Sendable (Account) throws(PushError) -> Exchange<Set<DeviceID>>)?
    /// Binds these accounts.
    public var add: Roles.Write<Set<Account>, Void>?
    /// Unbinds these accounts.
    public var remove: Roles.Write<Set<Account>, Void>?
    /// Replaces the accounts with this set.
    public var replace: Roles.Write<Set<Account>, Void>?
    /// Unbinds all accounts.
    public var clear: Roles.Read<Void>?

    /// No calls.
    public init() {}

    /// Makes every change with one call, for a vendor that has one call for all kinds.
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
    /// Sets these attributes and keeps the others.
    public var add: Roles.Write<[String: String], AttributeReceipt>?
    /// Removes the attributes with these names.
    public var remove: Roles.Write<Set<String>, AttributeReceipt>?
    /// Replaces the attributes with these.
    public var replace: Roles.Write<[String: String], AttributeReceipt>?
    /// Removes all attributes.
    public var clear: Roles.Read<AttributeReceipt>?

    /// No calls.
    public init() {}

    /// Makes every change with one call, for a vendor that has one call for all kinds.
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

/// The calls about messages that the vendor keeps and sends later.
public struct ScheduleCalls: Sendable {
    /// Creates a schedule and returns its id; a retry is harmless only with a key.
    public var create: (@Sendable (Schedule, IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID>)?
    /// Reads a schedule as the vendor keeps it.
    public var read: (@Sendable (ScheduleID) throws(PushError) -> Exchange<ScheduleStatus>)?
    /// Lists one page of schedules, from 1; a page past the end is empty.
    public var list: (@Sendable (Int) throws(PushError) -> Exchange<Page<ScheduleStatus>>)?
    /// Ends a schedule.
    public var remove: (@Sendable (ScheduleID) throws(PushError) -> Exchange<Void>)?

    /// No calls.
    public init() {}
}

extension Roles {
    /// Every operation of the model, with a test whether a vendor has its call.
    package static let operations: [Feature: @Sendable (Roles) -> Bool] = [
        .send: { $0.send != nil }, .validate: { $0.validate != nil }, .mintKeys: { $0.mintKeys != nil },
        .mintToken: { $0.tokens != nil },
        .readTags: { $0.tags.read != nil }, .testTag: { $0.tags.test != nil }, .addTags: { $0.tags.add != nil },
        .removeTags: { $0.tags.remove != nil }, .replaceTags: { $0.tags.replace != nil },
        .clearTags: { $0.tags.clear != nil }, .addMembers: { $0.tags.changeMembers != nil },
        .removeMembers: { $0.tags.changeMembers != nil }, .readAlias: { $0.alias.read != nil },
        .setAlias: { $0.alias.set != nil }, .removeAlias: { $0.alias.remove != nil },
        .readAliasDevices: { $0.alias.devices != nil }, .deleteAlias: { $0.alias.delete != nil },
        .updateDevice: { $0.updateDevice != nil },
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
    /// Declares the operations of the model that have a call as native; keeps earlier declarations.
    public mutating func declare(_ roles: Roles) {
        for feature in roles.features where support[feature] == nil { support[feature] = .native }
    }
}
