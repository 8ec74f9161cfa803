public import PushCore

/// One call of an app on its device, as the app made it: nothing is checked yet, so that what is missing can be told
/// from what is wrong.
public enum SessionCall: Sendable {
    /// Adds tags to those that the device has.
    case addTags([String]?)
    /// Makes the device's tags exactly these; none at all is refused.
    case setTags([String]?)
    /// Takes tags off.
    case deleteTags([String]?)
    /// Takes all tags off.
    case cleanTags
    /// Lists the tags.
    case getAllTags
    /// Lists some of the tags, in the order of their bytes.
    case queryTags(offset: Int, limit: Int)
    /// Asks for one tag.
    case validTag(String?)
    /// Gives the device an alias.
    case setAlias(String?)
    /// Takes the alias off.
    case deleteAlias
    /// Reads the alias.
    case getAlias
    /// Tags and alias together: nil leaves a half as it is, empty clears it, a value takes the place of what was.
    case overlay(tags: [String]?, alias: String?)
    /// The tags alone, in the form of an overlay: empty clears them.
    case overlayTags([String]?)
    /// The alias alone, in the form of an overlay: empty takes it off.
    case overlayAlias(String?)
    /// Sets the phone number; nil or empty takes it off.
    case setPhone(String?)
    /// Binds accounts, by their types; each takes the place of the one of its type.
    case upsertAccounts([Int: String])
    /// Unbinds all accounts of some types.
    case deleteAccounts(Set<Int>)
    /// Unbinds all accounts.
    case clearAccounts
    /// Sets attributes beside the others.
    case upsertAttributes([String: String])
    /// Takes attributes off.
    case deleteAttributes(Set<String>)
    /// Takes all attributes off.
    case clearAttributes
    /// Makes the attributes exactly these; none at all is refused.
    case replaceAttributes([String: String])
    /// Stores the badge at the vendor.
    case setBadge(Int)
    /// Tells the vendor the user's language.
    case setLanguage(String?)
    /// Hands over the token for pushes about calls.
    case voipToken([UInt8]?)
    /// Hands over a token that starts Live Activities of a type of attributes.
    case liveActivityStart(attributes: String?, token: [UInt8]?)
    /// Hands over the token of one Live Activity; no token tells that it has ended.
    case liveActivityUpdate(id: String?, token: [UInt8]?)
}

extension SessionCall {
    /// A kind of call, whatever it says. Open: a generation of an SDK may have one more.
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
        /// An overlay in the background, which nobody waits for.
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

        /// Asking for the device's id: no ``SessionCall``, but a call with an answer of its own.
        public static let registration: Kind = "registration"

        /// What such a call is about; calls about the same thing are carried out in the order in which they are made.
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

    /// What kind of call it is.
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
    /// The kind, and nothing of what the call says: it may be a person's number or a token.
    public var description: String { kind.rawValue }
    /// Nothing beside the description, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
