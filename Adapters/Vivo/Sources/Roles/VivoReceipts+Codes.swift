public import PushAdapter

extension VivoReceipts {
    /// The meanings of the codes and sub codes of the newer receipts, for people. Sources: Getui, table of vivo's codes,
    /// 2025; a study of the vendor's page of live cards, 2026-09-17.
    public static let meanings: [Int: String] = [
        101: "the vendor's review refused the message", 103: "a later message replaced it",
        104: "the message was not shown", 300: "the live card arrived", 301: "the live card was not sent",
        302: "the live card was not shown",
        1000: "the vendor held the message back", 1017: "an operational message at night",
        1020: "the class does not fit the text", 2124: "the same operational title and text came before",
        2144: "the time to live was over", 2158: "the link cannot be opened", 2161: "the link cannot be opened",
        2162: "the link cannot be opened", 2183: "the device id is dead", 10012: "the time to live was over",
        11001: "the app has sent the day's amount", 12000: "the device has the day's maximum of the app's messages",
        20001: "the device is not subscribed", 20002: "the vendor does not know the device",
        20006: "the device was away for 14 days", 31004: "live card: the vendor does not know the device",
        31005: "live card: the device was away for 14 days", 32001: "live card: the user has switched it off",
        32005: "live card: the app was removed",
    ]

    /// The verdict of a code on the device itself: `dead` for 2183, 20002, 31004 and 32005, nil for any other. A device
    /// that was away or has notifications off is alive.
    public static func verdict(on code: Int) -> TargetVerdict? {
        [2183, 20002, 31004, 32005].contains(code) ? .dead() : nil
    }
}
