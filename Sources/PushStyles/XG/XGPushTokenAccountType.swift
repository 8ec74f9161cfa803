/// The type of an account at TPNS. Open: 1 to 16 are an app's own types, and the vendor adds others.
///
/// The calls take the numbers themselves, as the guide's dictionaries do:
///
/// ```swift
/// manager.upsertAccounts(byDict: [XGPushTokenAccountType.unknown.rawValue: "account"])
/// ```
///
/// The guide has ``unknown``, and 1002 for ``phoneNumber``. The others are from the enumeration of the SDK's demo. The
/// server's table of 2022 agrees, except for 1001: there it is the digest of an IMEI, and an IDFA is 993.
public struct XGPushTokenAccountType: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No type in particular; `XGPushTokenAccountTypeUNKNOWN`.
    public static let unknown = XGPushTokenAccountType(rawValue: 0)
    /// A type of the app's own; `XGPushTokenAccountTypeCUSTOM`.
    public static let custom = XGPushTokenAccountType(rawValue: 1)
    /// Apple's advertising identifier; `XGPushTokenAccountTypeIDFA`.
    public static let idfa = XGPushTokenAccountType(rawValue: 1001)
    /// A phone number with `+` and its country code; `XGPushTokenAccountTypePHONE_NUMBER`.
    public static let phoneNumber = XGPushTokenAccountType(rawValue: 1002)
    /// A WeChat OpenID; `XGPushTokenAccountTypeWX_OPEN_ID`.
    public static let wxOpenID = XGPushTokenAccountType(rawValue: 1003)
    /// A QQ OpenID; `XGPushTokenAccountTypeQQ_OPEN_ID`.
    public static let qqOpenID = XGPushTokenAccountType(rawValue: 1004)
    /// An e-mail address; `XGPushTokenAccountTypeEMAIL`.
    public static let email = XGPushTokenAccountType(rawValue: 1005)
    /// Sina Weibo; `XGPushTokenAccountTypeSINA_WEIBO`.
    public static let sinaWeibo = XGPushTokenAccountType(rawValue: 1006)
    /// Alipay; `XGPushTokenAccountTypeALIPAY`.
    public static let alipay = XGPushTokenAccountType(rawValue: 1007)
    /// Taobao; `XGPushTokenAccountTypeTAOBAO`.
    public static let taobao = XGPushTokenAccountType(rawValue: 1008)
    /// Douban; `XGPushTokenAccountTypeDOUBAN`.
    public static let douban = XGPushTokenAccountType(rawValue: 1009)
    /// Facebook; `XGPushTokenAccountTypeFACEBOOK`.
    public static let facebook = XGPushTokenAccountType(rawValue: 1010)
    /// Twitter; `XGPushTokenAccountTypeTWITTER`.
    public static let twitter = XGPushTokenAccountType(rawValue: 1011)
    /// Google; `XGPushTokenAccountTypeGOOGLE`.
    public static let google = XGPushTokenAccountType(rawValue: 1012)
    /// Baidu; `XGPushTokenAccountTypeBAIDU`.
    public static let baidu = XGPushTokenAccountType(rawValue: 1013)
    /// JD; `XGPushTokenAccountTypeJINGDONG`.
    public static let jingdong = XGPushTokenAccountType(rawValue: 1014)
    /// LinkedIn; `XGPushTokenAccountTypeLINKEDIN`.
    public static let linkedin = XGPushTokenAccountType(rawValue: 1015)
}
