import PushAdapter
import PushCrypto
import Testing

/// Signatures with PS256 that other programs made of one text. The private key is deleted.
@Suite("PS256 signatures of other programs")
struct ForeignSignatureTests {
    private static let text = Array("a message to sign".utf8)
    private static let key = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA4K3qIcCCkq7SL+Z1bVVi
        ji1CQL62oHlXTNUka/XSag0gqEyxDPGnU047qR2xDbJCwIqReMmahpUxmR9t3Iva
        jlRk3oWearYf7ektGRCbAbfAN1MLUk9Wc+QvK6sszjYRVbPl+fRsINWS+4PhgcyC
        iL0KU0zQUvhFpWrfTWc4qwOuTyWmPHRMTuhHKj2tklNwD0OdopyRp5qqJijLvHld
        lcwPSTtEFkxGqxmimQWp6JZyipeHy0W+5C47R/XDlcZg0Vx0i3NFrC6CI0nWCAS+
        IV6V34wSRkBc1LoJ/TU/cx2ZoKDpGginm4xgdr0fTd4fnRBfEx8U45SpYl8FYS9E
        xwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// The commands and calls that made them, and the signatures.
    private static let made: [(by: String, signature: String)] = [
        (
            "OpenSSL 3.0.19: openssl dgst -sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32 -sign",
            "sz1YNy3M0eVwRMNiOy7owjMRzrmzNZEippic5ladNBl_0zcdXqjW07F-146tw6mvzZL7_gvHtT5-jbmUaFTMLsFOWcgvdtMv"
                + "QoOe9I2iZVPlooiG41MRbPHwGtZNIQ6zG8lkEwZHCGcJpeLhIFbBsBywFCy38RanJgRK2WkVG8x81x_FfuQepm98lnxpdHjz"
                + "CGe64G5jGbNYGzwtqLohY1HRibscwuwXU1By2eW2smrDfh5BIXEGQxa4EPwzNLttkQTx09NXwEmD97jZlQ-RZo1eksPABgZ_"
                + "3xDa-ZUTQNfP1TwOowAEQgIyZr1d7A9ZUQp3kxRpVnEJVaJSrkZ94g"
        ),
        (
            "cryptography 48.0.0 for Python: sign(text, PSS(MGF1(SHA256()), 32), SHA256())",
            "LczVgTgeycn9uzSit4PfURWfoZGqRettPwjtA7ecuABPFbN2FlYjXe0lrEfqjZI89iWXKXJzodjCxj6yrU_y2ccpO06PpXiI"
                + "RSqrWRSKgxRn99j8prVrkoXWQDaFvvgEVn-AzhgiYZ033e8U_e4CAaa4UHnYGk75FXeXPL4Vvm9wUjhu-SRYcdwWXZVM7S0t"
                + "ILW7DWuS_VmS8C0FThN64Toho7BG_KMYHPge_JlW18cMxk-2xvHmNgmxAKn-JWYRNKj369z0g6HrMF2LvlEXt-g5Lduyb7KC"
                + "7GAQTBuym-2wCkLjbASA3uoU4WMgS6ghGRnekzm8N_PCHRYqAXgqwg"
        ),
        (
            "OpenJDK 17, SunRsaSign: RSASSA-PSS, PSSParameterSpec(SHA-256, MGF1, SHA256, 32, 1)",
            "zV4whRSBOMqO9HFmV_d8nO2beL3CwRDKlA6ieIkUStshCqJLhBMZb18J6MMHRe7URs-MdC1-uSs91E4f2bfoFzr75LXW7yr6"
                + "jBLRazKnoezQu9bzX4ip0SsnLE8v0YooWhO2s5aYGiPHGd3eXf6J-Nj4rFVEHG97LlGTqKAhbIDnN_pqsSalL3Lu4Rqo2qOR"
                + "zN6iXHoOWnhLT0TJvmThO2HeTt_ZFZZudPQpfY_9nUYZzztxwelX1qywSfQOFVMOOR-81nVH347qzkkZwf-p0-bKm71W0MpR"
                + "kQuujvmA3MhdHXciFdTzNrs3I-cUcJZsiQRkiPFfh4Wg31o-OLsSsQ"
        ),
    ]

    @Test("what another program signed is accepted, and of no other text and in no other way", arguments: made)
    func accepted(by program: String, signature: String) throws {
        let signature = try #require(Base64URL.decode(signature))
        let key = try VerifyingKey(pem: Self.key).verifying(.ps256)
        #expect(key.accepts(signature, of: Self.text), "\(program)")
        #expect(!key.accepts(signature, of: Self.text + [0]))
        #expect(try !key.verifying(.rs256).accepts(signature, of: Self.text))
    }

    /// RFC 7518, section 3.5, has a salt as long as the digest, and SHA-256 in both places.
    private static let others: [(by: String, signature: String)] = [
        (
            "OpenSSL, a salt of 20 bytes",
            "Vb25c8u8jVyC3UWva6TW0rjWFsIu3CJ60KmaQIdUrSYNHdCxQppl2F-tYzuh1niHfTLSMzVHAX7Z6v6U9ZBYe_2fgqJnvjZ-"
                + "20Qbm8VWtx0EolVLpi6TJwPNZbHI5FXMASd_kC14OOpjRvP6YgAcx58Ofr91RgSzVDxg5ntmZEm80CWrS9W1oL6gBJ5O9dHm"
                + "qQnfrq5OsAT7tsfRWOjLchKxYmMNrWRO43JfNRyefzp5JCPrABP7eE3fT-tIL7h-AFXtmCJp96DglUX6ybqxp4EU65yYygwX"
                + "42O-Xyq8pOWZYULN1TA1b0ckeARiMqM4Gu265PkuzuTwwLVNdGf5Gw"
        ),
        (
            "OpenSSL, SHA-1 in the mask",
            "3Ifb0VkqAF2P-acM6Kd_xH77ShNyNDjNP3VS-RtKfDYJi-T9IIKXxx5BPHkSWJjEXxeim1uksQ_TXsAAKyJegFxkcMUL1t_S"
                + "vXtD8bxbO77gDjzWwwqCLO1aPqoM_sdfREBCGhOk_HwygAqUH_-mmZKRUyTWTIAA6jaW99GkjbvSI5-VQjiY-Ra03V5A9855"
                + "Onp5Ue66ccTxpwbpCT24VwSjUtgAbIVxLcQnGpg0TWqcRvojKE81Q5Vuar2LfsAj1bj7Jxy7RQP2oHTRVB_x1Zh4jlQfiSsV"
                + "5ZgXL5smz_GdfPCDGbZbMvlBVeYKP_u0B_ES7MO3urgtdakSxJL_Zg"
        ),
    ]

    @Test("PSS with another salt or another mask is not PS256", arguments: others)
    func refused(by program: String, signature: String) throws {
        let signature = try #require(Base64URL.decode(signature))
        let key = try VerifyingKey(pem: Self.key).verifying(.ps256)
        #expect(!key.accepts(signature, of: Self.text), "\(program)")
    }
}
