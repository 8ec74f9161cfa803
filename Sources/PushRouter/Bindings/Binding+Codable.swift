import FoundationEssentials
import PushAdapter

/// Encodes a binding as one flat object: `user`, `installation`, `route`, one of `device`, `alias` and `account` (with
/// `accountType`), `platform`, `boundAt`, `acceptedAt`. The coder chooses the form of dates. An unknown name is an
/// error.
extension Binding: Codable {
    private enum Name: String, CodingKey, CaseIterable {
        case user, installation, route, device, alias, account, accountType, platform, boundAt, acceptedAt
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.object(of: Name.self)
        var targets: [Target] = []
        if let device = try values.decodeIfPresent(DeviceID.self, forKey: .device) { targets.append(.device(device)) }
        if let alias = try values.decodeIfPresent(Alias.self, forKey: .alias) { targets.append(.alias(alias)) }
        if let name = try values.decodeIfPresent(String.self, forKey: .account) {
            targets.append(
                .account(Account(name: name, type: try values.decodeIfPresent(Int.self, forKey: .accountType))))
        }
        guard targets.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a binding has one of device, alias and account; this one has \(targets.count)"))
        }
        self.init(
            user: try values.decode(UserID.self, forKey: .user),
            installation: try values.decodeIfPresent(InstallationID.self, forKey: .installation),
            route: try values.decode(RouteName.self, forKey: .route), target: targets[0],
            platform: try values.decodeIfPresent(Platform.self, forKey: .platform),
            boundAt: try values.decode(Date.self, forKey: .boundAt),
            acceptedAt: try values.decodeIfPresent(Date.self, forKey: .acceptedAt))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Name.self)
        try values.encode(user, forKey: .user)
        try values.encodeIfPresent(installation, forKey: .installation)
        try values.encode(route, forKey: .route)
        switch target {
        case .device(let id): try values.encode(id, forKey: .device)
        case .alias(let alias): try values.encode(alias, forKey: .alias)
        case .account(let account):
            try values.encode(account.name, forKey: .account)
            try values.encodeIfPresent(account.type, forKey: .accountType)
        }
        try values.encodeIfPresent(platform, forKey: .platform)
        try values.encode(boundAt, forKey: .boundAt)
        try values.encodeIfPresent(acceptedAt, forKey: .acceptedAt)
    }
}
