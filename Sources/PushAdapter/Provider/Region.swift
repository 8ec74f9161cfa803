/// Where data may be: a country, or a word for a group of countries.
public enum Region {
    /// Words for groups of countries, with their ISO 3166-1 codes.
    public static let words: [(word: String, countries: Set<String>)] = [
        (
            "eu",
            [
                "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT",
                "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
            ]
        )
    ]

    /// The ISO codes of a country, or of a word in ``words``, in capitals.
    ///
    /// Refuses anything else with `invalidArgument`, including codes that ISO 3166-1 does not assign.
    public static func countries(of text: String) throws(PushError) -> Set<String> {
        if let known = words.first(where: { $0.word == text.lowercased() }) { return known.countries }
        guard assigned.contains(text.uppercased()) else {
            throw PushError(
                .invalidArgument,
                "the region \(Redaction.quoted(text)) is not a country code such as SG, nor one of: "
                    + words.map(\.word).joined(separator: ", "))
        }
        return [text.uppercased()]
    }

    /// ISO 3166-1, alpha-2, as of 2025.
    private static let assigned = Set(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
        BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
        ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
        HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
        LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
        NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
        SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
        UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
