public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// Views for tests, and controls for devices, accounts and projects.
extension FCMSimulator {
    /// The messages that a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { find(device)?.inbox.messages ?? [] }

    /// The devices that received a message, by its id or its whole resource name.
    public func receivers(of message: String) -> [String] {
        func id(_ name: String) -> Substring? { name.split(separator: "/").last }
        return projects.values.flatMap(\.registrations.values).filter { state in
            state.inbox.messages.contains { id($0.messageID) == id(message) }
        }.map(\.registration.device.id).sorted()
    }

    /// The topics of a device, without the prefix `/topics/`.
    public func topics(of device: String) -> Set<String> { Set((find(device)?.topics ?? [:]).keys) }

    /// The number of times that the vendor dropped a device's waiting messages because there were too many.
    public func overflows(of device: String) -> Int { find(device)?.store.overflows ?? 0 }

    // MARK: Devices

    /// Adds a registration to a project, or replaces one with the same device.
    public func add(_ registration: FCMRegistration, to project: String) {
        let home = Home(project: project, device: registration.device.id)
        guard projects[project] != nil else { return }
        homes = homes.filter { $0.value != home }
        projects[project]?.registrations[home.device] = RegistrationState(registration)
        for address in Self.addresses(of: registration) { homes[address] = home }
    }

    /// Ends the registration of a device, as removing the app does. Sends are then refused with `UNREGISTERED`.
    public func unregister(_ device: String) {
        change(device) { $0.unregister(accepting: settings.sendsAfterUnregistering) }
    }

    /// Ends the device's token at APNs. Sends are then refused with `INVALID_ARGUMENT`.
    public func disableAppleToken(of device: String) { change(device) { $0.isAppleTokenDead = true } }

    /// Takes a device offline, or brings it online, where it receives its waiting messages.
    public func setOnline(_ isOnline: Bool, _ device: String, at now: Date) {
        change(device) { $0.setOnline(isOnline, now) }
    }

    // MARK: Access

    /// Ends all access tokens early.
    public func expireAccessTokens() {
        for token in accessTokens.keys { accessTokens[token]?.end = .distantPast }
    }

    /// Removes a public key from an account. Its assertions are then refused.
    public func revokeKey(_ key: String, of account: String) { accounts[account]?.keys[key] = nil }

    /// Sets the permissions of an account in a project.
    public func setPermissions(
        _ permissions: Set<FCMServiceAccount.Permission>, of account: String, in project: String
    ) {
        accounts[account]?.permissions[project] = permissions
    }

    /// Enables the Firebase Cloud Messaging API in a project, or disables it.
    public func setAPI(isEnabled: Bool, in project: String) { projects[project]?.project.isAPIEnabled = isEnabled }

    // MARK: Lookup

    /// The device with this id. If two projects have one, the first project by id counts.
    func find(_ device: String) -> RegistrationState? {
        projects.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.registrations[device] }.first
    }

    func change(_ device: String, _ edit: (inout RegistrationState) -> Void) {
        for project in projects.keys where projects[project]?.registrations[device] != nil {
            guard var state = projects[project]?.registrations[device] else { continue }
            edit(&state)
            projects[project]?.registrations[device] = state
        }
    }

    static func addresses(of registration: FCMRegistration) -> [Address] {
        [registration.token.map(Address.token), registration.fid.map(Address.fid)].compactMap { $0 }
    }
}
