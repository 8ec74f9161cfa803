public import PushDevice

/// A call of one of the styles, as a table row: the session call behind it, which decides which vendors can make it.
public struct StyleCall: Sendable {
    /// A calling style.
    public enum Style: String, Sendable, CaseIterable {
        /// A completion, usually with a sequence number from the caller: ``SequencedPushService``.
        case sequenced
        /// The oldest calls of JPush, whose selector is a closure here: also ``SequencedPushService``.
        case selector
        /// A delegate: ``XGTokenManager``.
        case xg
    }

    /// The calling style.
    public var style: Style
    /// The name in the SDK: `addTags:completion:seq:`.
    public var name: String
    /// The session call behind it, with sample arguments.
    public var call: SessionCall
    /// The generation whose code makes the call.
    public var rules: SessionRules

    /// Every call that leaves the process, by style.
    public static let all: [StyleCall] = sequenced + selector + xg

    private static let mtpush = SessionRules.mtpush(SDKVersion(5, 2, 0))

    private static let sequenced: [StyleCall] = [
        StyleCall("addTags:completion:seq:", .addTags(["a"])),
        StyleCall("setTags:completion:seq:", .setTags(["a"])),
        StyleCall("deleteTags:completion:seq:", .deleteTags(["a"])),
        StyleCall("cleanTags:seq:", .cleanTags),
        StyleCall("getAllTags:seq:", .getAllTags),
        StyleCall("validTag:completion:seq:", .validTag("a")),
        StyleCall("setAlias:completion:seq:", .setAlias("a")),
        StyleCall("deleteAlias:seq:", .deleteAlias),
        StyleCall("getAlias:seq:", .getAlias),
        StyleCall("setTags:alias:fetchCompletionHandle:", .overlay(tags: ["a"], alias: "a")),
        StyleCall("setTags:aliasInbackground:", .overlay(tags: ["a"], alias: "a")),
        StyleCall("setMobileNumber:completion:", .setPhone("+8613711112222")),
        StyleCall("setBadge:", .setBadge(1)),
        StyleCall("resetBadge", .setBadge(0)),
        StyleCall("registerVoipToken:", .voipToken([1])),
        StyleCall("setUserLanguage:completionHandler:", .setLanguage("en"), mtpush),
        StyleCall(
            "registerLiveActivity:pushToStartToken:completion:seq:", .liveActivityStart(attributes: "a", token: [1]),
            mtpush),
        StyleCall("registerLiveActivity:pushToken:completion:seq:", .liveActivityUpdate(id: "a", token: [1]), mtpush),
    ]

    private static let selector: [StyleCall] = [
        StyleCall(.selector, "setTags:alias:callbackSelector:object:", .overlay(tags: ["a"], alias: "a"), .jpushLegacy),
        StyleCall(.selector, "setTags:callbackSelector:object:", .overlayTags(["a"]), .jpushLegacy),
        StyleCall(.selector, "setAlias:callbackSelector:object:", .overlayAlias("a"), .jpushLegacy),
    ]

    private static let xg: [StyleCall] = [
        StyleCall(.xg, "appendTags:", .addTags(["a"]), .tpns),
        StyleCall(.xg, "delTags:", .deleteTags(["a"]), .tpns),
        StyleCall(.xg, "clearAndAppendTags:", .setTags(["a"]), .tpns),
        StyleCall(.xg, "clearTags", .cleanTags, .tpns),
        StyleCall(.xg, "queryTags:limit:", .queryTags(offset: 0, limit: 200), .tpns),
        StyleCall(.xg, "upsertAccountsByDict:", .upsertAccounts([1: "a"]), .tpns),
        StyleCall(.xg, "upsertPhoneNumber:", .setPhone("+8613711112222"), .tpns),
        StyleCall(.xg, "delAccountsByKeys:", .deleteAccounts([1]), .tpns),
        StyleCall(.xg, "clearAccounts", .clearAccounts, .tpns),
        StyleCall(.xg, "upsertAttributes:", .upsertAttributes(["nickname": "a"]), .tpns),
        StyleCall(.xg, "delAttributes:", .deleteAttributes(["nickname"]), .tpns),
        StyleCall(.xg, "clearAttributes", .clearAttributes, .tpns),
        StyleCall(.xg, "clearAndAppendAttributes:", .replaceAttributes(["nickname": "a"]), .tpns),
        StyleCall(.xg, "setBadge:", .setBadge(1), .tpns),
    ]

    private init(_ name: String, _ call: SessionCall, _ rules: SessionRules = .jpush) {
        self.init(.sequenced, name, call, rules)
    }

    private init(_ style: Style, _ name: String, _ call: SessionCall, _ rules: SessionRules) {
        self.style = style
        self.name = name
        self.call = call
        self.rules = rules
    }
}
