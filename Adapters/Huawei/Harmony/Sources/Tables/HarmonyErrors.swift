import HuaweiDialect
import PushAdapter

/// The meanings of the vendor's codes, and of its reasons for refusing a token.
enum HarmonyErrors {
    static let rows: [VendorErrorRow] = (HuaweiErrors.rows + own).sorted { $0.code < $1.code }.on("rest") + reasons

    private static let own: [VendorErrorRow] = [
        .refused("80100022", .invalidArgument, "the vendor has not verified the picture", HuaweiErrors.response),
        // The page on frequency says that such messages are accepted and reported as not shown. The zone is assumed.
        .usedUp(by: .china, "80300029", "the project has sent the day's 1,000 test messages", HuaweiErrors.response),
        .refused("80300030", .limitExceeded, "a test message takes at most 10 tokens", HuaweiErrors.response),
    ]

    /// The meaning of a refusal whose tokens all have the same reason.
    private static let reasons: [VendorErrorRow] = [
        reason("tokenFormatError", .noTarget, "the texts are no tokens: remove them"),
        reason("tokenPlatformNotSupport", .noTarget, "the tokens are a proxy service's: have the app fetch new ones"),
        reason(
            "noRight", .misconfigured,
            "the tokens are of another project, or from before an upgrade to HarmonyOS 5; if many are, the service "
                + "account is of the wrong project"),
        reason("noPushTypeRight", .misconfigured, "the app has no right to this kind of message; apply for it"),
        reason(
            "noRightToSendThisLiveNotificationEvent", .misconfigured,
            "the app has no right to live views of this event; apply for it"),
        reason("notSupportPlayVoice", .misconfigured, "the app has no right to spoken messages; apply for it"),
        reason(
            "atomicUnableSendUnsubscribedMsg", .misconfigured,
            "an atomic service sends only what the user subscribed to"),
        reason("countryNotSupport", .noTarget, "the vendor does not serve the devices' country"),
        reason(
            "disableSendHuaweiMsgBecauseOfPenalty", .blocked,
            "the vendor punishes the app for wrong classes or contents"),
        reason("differentImgVerifyPolicy", .invalidArgument, "the picture was verified for another kind of message"),
        reason("appinfoError", .misconfigured, "the vendor does not know the app; check the project in its console"),
    ].on(HarmonyReasons.surface)

    private static func reason(_ code: VendorCode, _ kind: PushError.Kind, _ advice: String) -> VendorErrorRow {
        .refused(code, kind, advice, HuaweiErrors.response)
    }
}
