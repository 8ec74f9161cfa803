public import PushAdapter

extension ConformanceSamples {
    /// An RSA key of 2,048 bits as a PEM text, for the service account of a harness. Everybody can read it, so it
    /// protects nothing; making a new one takes longer than ten checks.
    public static let rsaKey: Secret = {
        let lines = stride(from: 0, to: rsaDigits.count, by: 64).map { String(rsaDigits.dropFirst($0).prefix(64)) }
        let kind = "PRIVATE KEY-----"
        return Secret((["-----BEGIN " + kind] + lines + ["-----END " + kind, ""]).joined(separator: "\n"))
    }()

    private static let rsaDigits = """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCImGYrS4nToBjT9eUX34w2IhWz9S5HNrZP/9lL1QrbeNSKxjWq\
        lLz3rHvdftY6fUW4ldXaQwxWYBzSn+EbYj853Vr/Cdo1sbk/hDfykUl797C8i8jmQUVxftNQojqnIMvcrumq5y6C3dWmFFPC/S2f\
        kKCI+yQdKZCQUqbdslYVPSQiTRf+qOl1hFOp0NNBZwV2wSZCp3q+UjmrL8GR5wWQgFVYgjru+5bph0QHXCfJBx0p+Q1X8RsP88hl\
        Ay9Q2m6VT6YkpzZmCakOErueQ7LauaTdgf8Uch07PvE/X1dPfjJtdAuAk7YBCmDF9Bzjd9NfZI1Z3JT7a8wlLSNgkcQTAgMBAAEC\
        ggEABkz5UX/vgJp+6rAJ/Drsjcaut5lUpCZK7I/BpzTRhmQhcbFI4nBv8wC6yfHC0fnbUHNg5Ot40zclvTVwvcGfZvzl6KO8tANZ\
        pytjJUY8XIKFXX0ZLD3QhTazaqHBENp7bNeIocB+Lb0r0LhZUMI664RRU2A6Pzoel/moBsvmGp6hHQ6cubg4Nv5qRPniyDMkKJTB\
        7Q/b8Pf+giuw2uuvHogtG2jfUckRjVSFW49Ya4kAqTComftBtJOA3SSKsot3Nem2pzvjEpbPPN7efVNZ6joHuM32DrcNq0eWmIR6\
        ljwetlTeKsZq/Y7jm+qxGhRoAbRzhYw6W6vVM34OzAC5cQKBgQDAJZ338XmSj+JmW5GCOUmrG55cWef+iIVUYDQHjmoaqxTJTahZ\
        dfGaFbpo4lzjeuk2y8cnH6hOUD0FCtA6sgJleeFPVm36C+VrorA+CTcT0zu9UgbkMdSqbKerlH/KolztkReX2cPh6dM09Efn1cQr\
        KlG1E2vNHJ9dArtmtT9c6QKBgQC1/OBuBHeUnRbwJtsn3jPZPHzD08O4GKys4Rx/RpjGdraF5UDLe+KqZV2xOBOCDMohdgx8kImG\
        Y/u+TR+TkLAV3MVuWikerCAwkxevGx4hZNF99TGGtymnHRI+ddrMYgo9SSGN2WdDc8kRVFCT1ZkPFs14KKcn6R0mG/yCfHKLmwKB\
        gQCAjSpApdeWTJlFreGN5FH7HkE2vBfQXPoG10439/nY2bjQbRpCr/vyALN0VG2c67B3rqIQ9McfjeMlKnThsBKWXZJ2B/cQIUFe\
        X7vV5UhqBRqksOpXZVdIpeUPkAxnP3U4o6fLOjApRsy9UumAm63gyzFbGiE3Wvzrt1Y1gvFfcQKBgCqyebVWNvgXIxqVAzYHXALL\
        vjnzpSe8IkctSZJS7eUiVRB1CQ60siloPuMlVO5eMc5H9AYFoz50lsu/LHliqO14LpoFbUBVAfhjilr68cbD8KKstEH3Fz6uA2nE\
        HOF23xAh6E1vhFq+/52hOoZ0xsRThUF7yDwE5WHbjxLOP9GhAoGASWbSha1aVAu5Z1sa2UcOoXxVlkmj2xTF6rqWxEVN4EAH21wc\
        9z5Z1B8iWHVHwlDWoYXdLdmcHUbwYTirG9MskGlqoh9UaY8QtkbBGFeQGAtSn+yG5Rdu8l40dXCXoDMP1pQNWBfTesgHQwcRlQmn\
        Riz+gzYhvISYLMtql03TV24=
        """
}
