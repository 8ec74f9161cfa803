import PushAdapter

// Computed with Python, not with this code.

extension EdgeCase {
    /// AES-128-GCM and HKDF.
    static let ciphers: [EdgeCase] = [
        // AES-128-GCM: texts around a block.
        EdgeCase("a text of 0", .sealed("Q1uboS11pL6Kl36jzQEYkA"), .gives("")),
        EdgeCase("a text of 1", .sealed("kmtTQ0snsOxp1eaX5KSI22I"), .gives("AQ")),
        EdgeCase("a text of 15", .sealed("kmSo2Hs_3GZykibEY_8TYfPlARtFEJZru0ZoFS__lw"), .gives("AQgPFh0kKzI5QEdOVVxj")),
        EdgeCase(
            "a text of 16", .sealed("kmSo2Hs_3GZykibEY_8TYhuj1z6p5RVv9iOr4S7QjdI"), .gives("AQgPFh0kKzI5QEdOVVxjag")),
        EdgeCase(
            "a text of 17", .sealed("kmSo2Hs_3GZykibEY_8TYsJXcbw25ji96dUrZloB-vT5"), .gives("AQgPFh0kKzI5QEdOVVxjanE")),
        EdgeCase(
            "a text of 32", .sealed("kmSo2Hs_3GZykibEY_8TYsJeZWDeeWZUT5FGk9GIcbYs7G7gJWXNk0HYD_X4qmoN"),
            .gives("AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o")),
        EdgeCase(
            "a text of 33", .sealed("kmSo2Hs_3GZykibEY_8TYsJeZWDeeWZUT5FGk9GIcbZkCCuDivxy53QHq3qWKsTBMg"),
            .gives("AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09rh")),
        // Tags that do not fit.
        EdgeCase("a tag of zeros", .sealed("kmSo2Hs_3GZykibEY_8TYsIAAAAAAAAAAAAAAAAAAAAA"), .unauthentic),
        EdgeCase("a tag of ones", .sealed("kmSo2Hs_3GZykibEY_8TYsL_____________________"), .unauthentic),
        EdgeCase("the tag of another nonce", .sealed("kmSo2Hs_3GZykibEY_8TYsIyFMWjtavw4fDPcoZ75JMB"), .unauthentic),
        EdgeCase("additional data", .sealed("kmSo2Hs_3GZykibEY_8TYsLVdGduKN0dMWUqokwx9Efs"), .unauthentic),
        EdgeCase("the tag first", .sealed("V3G8NuY4venVK2ZaAfr0-ZJkqNh7P9xmcpImxGP_E2LC"), .unauthentic),
        EdgeCase("the tag reversed", .sealed("kmSo2Hs_3GZykibEY_8TYsL59PoBWmYr1em9OOY2vHFX"), .unauthentic),
        EdgeCase("the tag inverted", .sealed("kmSo2Hs_3GZykibEY_8TYsKojkPJGcdCFirUmaX-BQsG"), .unauthentic),
        EdgeCase("a text cut before its tag", .sealed("kmSo2Hs_3GZykibEY_8TYldxvDbmOL3p1StmWgH69Pk"), .unauthentic),
        EdgeCase(
            "a text longer than its tag says", .sealed("kmSo2Hs_3GZykibEY_8TYsIAV3G8NuY4venVK2ZaAfr0-Q"), .unauthentic),
        EdgeCase(
            "the tag twice", .sealed("kmSo2Hs_3GZykibEY_8TYsJXcbw25ji96dUrZloB-vT5V3G8NuY4venVK2ZaAfr0-Q"), .unauthentic
        ),
        EdgeCase("a tag of 12 bytes", .sealed("kmSo2Hs_3GZykibEY_8TYsJXcbw25ji96dUrZlo"), .unauthentic),
        EdgeCase("AES-256", .sealed("FfGfsL-Nc8EDV-vfj7TZ97QYzV4vkBow4VdTJBaWM1aw"), .unauthentic),
        // HKDF: extraction from salts and material of all sizes.
        EdgeCase(
            "a salt of 0, material of 0", .extraction(salt: 0, material: 0),
            .gives("thNnmggU2ex3L5XXeMNfxf8Wl8STcVZTxscSFEKSxa0")),
        EdgeCase(
            "a salt of 16, material of 0", .extraction(salt: 16, material: 0),
            .gives("hObeZiEo22pFzMOW37ugcED0BjE0ev54naNHOW6uUjo")),
        EdgeCase(
            "a salt of 0, material of 5", .extraction(salt: 0, material: 5),
            .gives("GXcWAGmPUkVHQR1e7RKqBCH9xidmPss9VdDOVajIVvs")),
        EdgeCase(
            "a salt of 32, material of 5", .extraction(salt: 32, material: 5),
            .gives("G2Eh_G19DkjrMc0-Dtyj3tXXC0ugtq1bFhVs2TzTtV8")),
        EdgeCase(
            "a salt of 64, material of 5", .extraction(salt: 64, material: 5),
            .gives("FB_ZVXS8Tr6f3fXELyweaGrHTiankWARjZTXvo97M2g")),
        EdgeCase(
            "a salt of 65, material of 5", .extraction(salt: 65, material: 5),
            .gives("WLMx-tFz5govx4nKIfblvSn-TiUM7u3h05w5ivXyJa8")),
        EdgeCase(
            "a salt of 16, material of 1000", .extraction(salt: 16, material: 1000),
            .gives("l0EQphNA_p7-3NaD8TPfKzO5uIijQ6OgFT1IpzR4nsI")),
        // HKDF: expansion. Keys around a block of SHA-256, and sizes around a block of output.
        EdgeCase("a key of 32, a purpose of 0, 1 bytes", .expansion(key: 32, purpose: 0, count: 1), .gives("Rg")),
        EdgeCase(
            "a key of 32, a purpose of 0, 32 bytes", .expansion(key: 32, purpose: 0, count: 32),
            .gives("RiM1Uijr2WQwXvIZ6bGih6LclSNoewShK0XRSp9rmC8")),
        EdgeCase(
            "a key of 32, a purpose of 0, 33 bytes", .expansion(key: 32, purpose: 0, count: 33),
            .gives("RiM1Uijr2WQwXvIZ6bGih6LclSNoewShK0XRSp9rmC-A")),
        EdgeCase(
            "a key of 32, a purpose of 0, 63 bytes", .expansion(key: 32, purpose: 0, count: 63),
            .gives("RiM1Uijr2WQwXvIZ6bGih6LclSNoewShK0XRSp9rmC-AHqFoNFLmrdZnILGnFyzHYfTPHjepYF51dXzkwp8u")),
        EdgeCase(
            "a key of 32, a purpose of 0, 65 bytes", .expansion(key: 32, purpose: 0, count: 65),
            .gives("RiM1Uijr2WQwXvIZ6bGih6LclSNoewShK0XRSp9rmC-AHqFoNFLmrdZnILGnFyzHYfTPHjepYF51dXzkwp8u6gE")),
        EdgeCase(
            "a key of 33, a purpose of 0, 32 bytes", .expansion(key: 33, purpose: 0, count: 32),
            .gives("wLWQC3deca80RVlGJutPIyjbdwbWK-7sm3E9goe1yoE")),
        EdgeCase(
            "a key of 64, a purpose of 0, 32 bytes", .expansion(key: 64, purpose: 0, count: 32),
            .gives("SpA-v88Li4Lh6o38NoEwkJtUML-eb2fAsTF71foPy2M")),
        EdgeCase(
            "a key of 65, a purpose of 0, 32 bytes", .expansion(key: 65, purpose: 0, count: 32),
            .gives("1qgHzWwE1Hq94R6xQB3B1eJyqMdtrDKaMNCUyvXHxuw")),
        EdgeCase(
            "a key of 32, a purpose of 1000, 32 bytes", .expansion(key: 32, purpose: 1000, count: 32),
            .gives("nWQEZWroTC7iHof2PZO3BfUJSDlYEWSWaAv_XBeHCB4")),
    ]
}
