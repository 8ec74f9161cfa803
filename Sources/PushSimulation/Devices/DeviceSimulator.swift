public import FoundationEssentials
import PushAdapter

/// A simulator with all its devices in one place. Observation and phones come with it: a simulator writes only where its
/// vendor differs.
public protocol DeviceSimulator: Actor, ConnectableSimulator {
    /// The vendor's devices, by their ids.
    var devices: [String: SimulatedDevice] { get set }
    /// Does the vendor's own work up to a moment: runs schedules, applies delayed writes.
    func settle(at now: Date)
    /// Adds or replaces an installation.
    func install(_ device: VirtualDevice)
    /// Delivers the waiting messages of a device that came online. By default every one that has a content and has not
    /// expired.
    func deliverWaiting(to device: String, at now: Date)
}

extension DeviceSimulator {
    /// The vendor's data about a device; nil for an unknown one.
    public func snapshot(of device: String) -> DeviceSnapshot? { devices[device]?.snapshot }

    /// The messages that a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { devices[device]?.inbox.messages ?? [] }

    /// The notifications on a phone's screen, oldest first. One with the same collapse id replaces another.
    public func screen(of device: String) -> [DeliveredMessage] {
        inbox(of: device).filter(\.isVisible).reduce(into: []) { shown, message in
            if let id = message.collapseID { shown.removeAll { $0.collapseID == id } }
            shown.append(message)
        }
    }

    /// The devices that received a message, sorted by id.
    public func receivers(of messageID: String) -> [String] {
        devices.filter { $0.value.inbox.has(messageID) }.keys.sorted()
    }

    /// The ids of all devices, sorted.
    public func deviceIDs() -> [String] { devices.keys.sorted() }

    /// Adds or replaces an installation.
    public func install(_ device: VirtualDevice) { devices[device.id] = SimulatedDevice(device) }

    /// Takes a device offline, or brings it online, where it receives its waiting messages.
    public func setOnline(_ isOnline: Bool, _ device: String, at now: Date) {
        settle(at: now)
        if !isOnline, devices[device]?.device.isOnline == true { devices[device]?.lastOnlineAt = now }
        devices[device]?.device.isOnline = isOnline
        if isOnline { deliverWaiting(to: device, at: now) }
    }

    /// Delivers every waiting message that has a content and has not expired.
    public func deliverWaiting(to device: String, at now: Date) {
        for message in takeWaiting(of: device) where message.until > now {
            if let content = message.content { devices[device]?.inbox.receive(content) }
        }
    }

    /// Takes the messages that wait for a device.
    package func takeWaiting(of device: String) -> [WaitingMessage] {
        defer { devices[device]?.waiting = [] }
        return devices[device]?.waiting ?? []
    }

    /// Connects a phone, after doing everything that is due. An unknown device is installed. A known device keeps its
    /// state except its Apple environment, which comes with the phone's token.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        settle(at: now)
        attach(phone, to: device, at: now)
    }

    /// Connects a phone to its device, which is installed if the vendor does not know it.
    public func attach(_ phone: any ConnectedPhone, to device: VirtualDevice, at now: Date) {
        if devices[device.id] == nil { install(device) }
        devices[device.id]?.device.environment = device.environment
        devices[device.id]?.inbox.connect(phone)
        setOnline(true, device.id, at: now)
    }

    /// Disconnects a device from its phone. Messages wait for it until they expire.
    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        guard devices[device]?.inbox.disconnect(phone) == true else { return }
        setOnline(false, device, at: now)
    }

    /// Keeps a phone's badge, language and tokens. The vendor does not count a phone's reports.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        settle(at: now)
        devices[device]?.keep(report)
    }

    /// Empty: the vendor has no quota.
    public func quotas(at now: Date) -> [QuotaReading] { [] }
}
