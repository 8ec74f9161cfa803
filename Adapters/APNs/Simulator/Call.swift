import PushAdapter
import PushSimulation

/// A call to Apple's servers.
enum Call: Equatable {
    /// A push to a device token, as written in the path.
    case push(String)
    /// An action on the channels of an app, by its bundle id.
    case app(String, ChannelAction)

    enum ChannelAction {
        case broadcast
        case create
        case read
        case delete
        case list
    }

    init(_ request: SimulatedRequest, _ family: Family, isServed: Bool) throws(Refusal) {
        switch family {
        case .push: self = try Self.pushCall(request, isServed)
        case .broadcast: self = try Self.broadcastCall(request, isServed)
        case .channels: self = try Self.managementCall(request, isServed)
        }
    }

    private static func pushCall(_ request: SimulatedRequest, _ isServed: Bool) throws(Refusal) -> Call {
        guard request.method == .post else { throw .methodNotAllowed }
        let start = "/3/device/"
        guard isServed, request.path.hasPrefix(start) else { throw .badPath }
        let token = request.path.dropFirst(start.count)
        guard !token.isEmpty else { throw .missingDeviceToken }
        return .push(String(token))
    }

    private static func broadcastCall(_ request: SimulatedRequest, _ isServed: Bool) throws(Refusal) -> Call {
        let path = parts(of: request.path)
        guard isServed, path.count == 4, path.starts(with: ["4", "broadcasts", "apps"]) else { throw .badPath }
        guard request.method == .post else { throw .methodNotAllowed }
        return .app(path[3], .broadcast)
    }

    private static func managementCall(_ request: SimulatedRequest, _ isServed: Bool) throws(Refusal) -> Call {
        let path = parts(of: request.path)
        guard isServed, path.count == 4, path.starts(with: ["1", "apps"]),
            ["channels", "all-channels"].contains(path[3])
        else { throw .badPath }
        switch (path[3], request.method) {
        case ("channels", .post): return .app(path[2], .create)
        case ("channels", .get): return .app(path[2], .read)
        case ("channels", .delete): return .app(path[2], .delete)
        case ("all-channels", .get): return .app(path[2], .list)
        default: throw .methodNotAllowed
        }
    }

    /// The decoded parts of a path. Empty if a part is empty or an escape is broken.
    private static func parts(of path: String) -> [String] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            PercentEncoding.decode($0) ?? ""
        }
        return parts.contains("") ? [] : parts
    }
}

/// Calls that share their hosts and the form of their ids.
enum Family {
    case push
    case broadcast
    case channels

    /// The family of a path. Unknown paths belong to the push server.
    init(path: String) {
        if path.hasPrefix("/4/") {
            self = .broadcast
        } else if path.hasPrefix("/1/") {
            self = .channels
        } else {
            self = .push
        }
    }

    /// The header field that carries the id of a request, in both directions.
    var idHeader: Header { self == .push ? .id : .requestID }

    /// Whether a host has the calls of the family. A host of Apple's has its own; any other host has all.
    func isServed(at name: String, in environment: AppEnvironment, _ settings: APNsSimulatorSettings) -> Bool {
        guard let host = AppleHost(name) else { return true }
        guard host.environment == environment else { return false }
        return switch (self, host.role) {
        case (.push, .ordinary), (.channels, .management): true
        case (.broadcast, .ordinary): settings.broadcastHosts != .dedicated
        case (.broadcast, .broadcast): settings.broadcastHosts != .ordinary
        default: false
        }
    }
}

/// One of Apple's host names.
struct AppleHost {
    enum Role {
        case ordinary
        case broadcast
        case management
    }

    let role: Role
    let environment: AppEnvironment

    private init(_ role: Role, _ environment: AppEnvironment) {
        self.role = role
        self.environment = environment
    }

    /// Nil for any other name.
    init?(_ name: String) {
        guard let host = Self.names[name.lowercased()] else { return nil }
        self = host
    }

    private static let names: [String: AppleHost] = [
        "api.push.apple.com": AppleHost(.ordinary, .production),
        "api.sandbox.push.apple.com": AppleHost(.ordinary, .development),
        // An older name.
        "api.development.push.apple.com": AppleHost(.ordinary, .development),
        "api-broadcast.push.apple.com": AppleHost(.broadcast, .production),
        "api-broadcast.sandbox.push.apple.com": AppleHost(.broadcast, .development),
        "api-manage-broadcast.push.apple.com": AppleHost(.management, .production),
        "api-manage-broadcast.sandbox.push.apple.com": AppleHost(.management, .development),
    ]
}
