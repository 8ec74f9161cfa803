public import PushAdapter

/// One call of an app on its device, as the app made it. Nothing is checked yet, so that missing values can be
/// distinguished from wrong ones.
public enum SessionCall: Sendable {
    /// Adds tags to those that the device has.
    case addTags([String]?)
    /// Replaces the device's tags with these; an empty list is refused.
    case setTags([String]?)
    /// Removes tags.
    case deleteTags([String]?)
    /// Removes all tags.
    case cleanTags
    /// Lists the tags.
    case getAllTags
    /// Lists some of the tags, in byte order.
    case queryTags(offset: Int, limit: Int)
    /// Checks whether the device has one tag.
    case validTag(String?)
    /// Sets the device's alias.
    case setAlias(String?)
    /// Removes the alias.
    case deleteAlias
    /// Reads the alias.
    case getAlias
    /// Sets tags and alias together: nil leaves a half unchanged, empty clears it, a value replaces it.
    case overlay(tags: [String]?, alias: String?)
    /// Sets only the tags, as an overlay: empty clears them.
    case overlayTags([String]?)
    /// Sets only the alias, as an overlay: empty removes it.
    case overlayAlias(String?)
    /// Sets the phone number; nil or empty removes it.
    case setPhone(String?)
    /// Binds accounts by type; each replaces the account of its type.
    case upsertAccounts([Int: String])
    /// Unbinds all accounts of some types.
    case deleteAccounts(Set<Int>)
    /// Unbinds all accounts.
    case clearAccounts
    /// Sets attributes and keeps the others.
    case upsertAttributes([String: String])
    /// Removes attributes.
    case deleteAttributes(Set<String>)
    /// Removes all attributes.
    case clearAttributes
    /// Replaces the attributes with these; an empty set is refused.
    case replaceAttributes([String: String])
    /// Stores the badge at the vendor.
    case setBadge(Int)
    /// Sends the user's language to the vendor.
    case setLanguage(String?)
    /// Uploads the token for VoIP pushes.
    case voipToken([UInt8]?)
    /// Uploads a token that starts Live Activities with one type of attributes.
    case liveActivityStart(attributes: String?, token: [UInt8]?)
    /// Uploads the token of one Live Activity; nil means that it has ended.
    case liveActivityUpdate(id: String?, token: [UInt8]?)
}

extension SessionCall {
    /// A kind of call, whatever its arguments. Open: more kinds may be added.
    public struct Kind: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// ``SessionCall/addTags(_:)``.
        public static let addTags: Kind = "addTags"
        /// ``SessionCall/setTags(_:)``.
        public static let setTags: Kind = "setTags"
        /// ``SessionCall/deleteTags(_:)``.
        public static let deleteTags: Kind = "deleteTags"
        /// ``SessionCall/cleanTags``.
        public static let cleanTags: Kind = "cleanTags"
        /// ``SessionCall/getAllTags``.
        public static let getAllTags: Kind = "getAllTags"
        /// ``SessionCall/queryTags(offset:limit:)``.
        public static let queryTags: Kind = "queryTags"
        /// ``SessionCall/validTag(_:)``.
        public static let validTag: Kind = "validTag"
        /// ``SessionCall/setAlias(_:)``.
        public static let setAlias: Kind = "setAlias"
        /// ``SessionCall/deleteAlias``.
        public static let deleteAlias: Kind = "deleteAlias"
        /// ``SessionCall/getAlias``.
        public static let getAlias: Kind = "getAlias"
        /// ``SessionCall/overlay(tags:alias:)``.
        public static let overlay: Kind = "overlay"
        /// ``SessionCall/overlayTags(_:)``.
        public static let overlayTags: Kind = "overlayTags"
        /// ``SessionCall/overlayAlias(_:)``.
        public static let overlayAlias: Kind = "overlayAlias"
        /// A background overlay; no caller waits for it.
        public static let background: Kind = "background"
        /// ``SessionCall/setPhone(_:)``.
        public static let setPhone: Kind = "setPhone"
        /// ``SessionCall/upsertAccounts(_:)``.
        public static let upsertAccounts: Kind = "upsertAccounts"
        /// ``SessionCall/deleteAccounts(_:)``.
        public static let deleteAccounts: Kind = "deleteAccounts"
        /// ``SessionCall/clearAccounts``.
        public static let clearAccounts: Kind = "clearAccounts"
        /// ``SessionCall/upsertAttributes(_:)``.
        public static let upsertAttributes: Kind = "upsertAttributes"
        /// ``SessionCall/deleteAttributes(_:)``.
        public static let deleteAttributes: Kind = "deleteAttributes"
        /// ``SessionCall/clearAttributes``.
        public static let clearAttributes: Kind = "clearAttributes"
        /// ``SessionCall/replaceAttributes(_:)``.
        public static let replaceAttributes: Kind = "replaceAttributes"
        /// ``SessionCall/setBadge(_:)``.
        public static let setBadge: Kind = "setBadge"
        /// ``SessionCall/setLanguage(_:)``.
        public static let setLanguage: Kind = "setLanguage"
        /// ``SessionCall/voipToken(_:)``.
        public static let voipToken: Kind = "voipToken"
        /// ``SessionCall/liveActivityStart(attributes:token:)``.
        public static let liveActivityStart: Kind = "liveActivityStart"
        /// ``SessionCall/liveActivityUpdate(id:token:)``.
        public static let liveActivityUpdate: Kind = "liveActivityUpdate"

        /// A request for the device's id: not a ``SessionCall``, but a call with its own answer.
        public static let registration: Kind = "registration"

        /// The subjects of such a call; calls about the same subject run in the order in which they are made.
        public var subjects: Set<SessionSubject> { Self.subjects[self] ?? [] }

        private static let subjects: [Kind: Set<SessionSubject>] = [
            .addTags: [.tags], .setTags: [.tags], .deleteTags: [.tags], .cleanTags: [.tags], .getAllTags: [.tags],
            .queryTags: [.tags], .validTag: [.tags], .setAlias: [.alias], .deleteAlias: [.alias], .getAlias: [.alias],
            .overlay: [.tags, .alias], .overlayTags: [.tags], .overlayAlias: [.alias], .background: [.tags, .alias],
            .setPhone: [.phone], .upsertAccounts: [.accounts], .deleteAccounts: [.accounts],
            .clearAccounts: [.accounts],
            .upsertAttributes: [.attributes], .deleteAttributes: [.attributes], .clearAttributes: [.attributes],
            .replaceAttributes: [.attributes], .setBadge: [.badge], .setLanguage: [.language],
            .voipToken: [.tokens], .liveActivityStart: [.tokens], .liveActivityUpdate: [.tokens],
        ]
    }

    /// The kind of this call.
    public var kind: Kind {
        switch self {
        case .addTags: .addTags
        case .setTags: .setTags
        case .deleteTags: .deleteTags
        case .cleanTags: .cleanTags
        case .getAllTags: .getAllTags
        case .queryTags: .queryTags
        case .validTag: .validTag
        case .setAlias: .setAlias
        case .deleteAlias: .deleteAlias
        case .getAlias: .getAlias
        case .overlay: .overlay
        case .overlayTags: .overlayTags
        case .overlayAlias: .overlayAlias
        case .setPhone: .setPhone
        case .upsertAccounts: .upsertAccounts
        case .deleteAccounts: .deleteAccounts
        case .clearAccounts: .clearAccounts
        case .upsertAttributes: .upsertAttributes
        case .deleteAttributes: .deleteAttributes
        case .clearAttributes: .clearAttributes
        case .replaceAttributes: .replaceAttributes
        case .setBadge: .setBadge
        case .setLanguage: .setLanguage
        case .voipToken: .voipToken
        case .liveActivityStart: .liveActivityStart
        case .liveActivityUpdate: .liveActivityUpdate
        }
    }
}

extension SessionCall: CustomStringConvertible, CustomReflectable {
    /// The kind, without the arguments, which may hold a person's number or a token.
    public var description: String { kind.rawValue }
    /// Empty, so that `dump` too shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
