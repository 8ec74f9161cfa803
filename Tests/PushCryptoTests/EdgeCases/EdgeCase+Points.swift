import PushAdapter

// Computed with Python, not with this code.

extension EdgeCase {
    /// Public points and private numbers on P-256.
    static let points: [EdgeCase] = [
        // Taken: points at the edges of the curve.
        EdgeCase(
            "x is 0", .point("BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAZkhceA4vg9ckM71dhKBrtlQcKvMdrocXKL-FahdPk_Q"),
            .gives("_B1CX0NBuMsWKZtT_KtDj4moYWw41zuTZSA3-0l46V4")),
        EdgeCase(
            "x is 0, the other y",
            .point("BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAmbejhvHQfCnbzEKie1-USavj1Q3iUXjo10B6leiwbAs"),
            .gives("_B1CX0NBuMsWKZtT_KtDj4moYWw41zuTZSA3-0l46V4")),
        EdgeCase(
            "x is 5", .point("BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFRZJDuapYGAb-kTvOmYF63hHKUDxk2aPFM0FcCDJI-8w"),
            .gives("1kV_iKupi-5Crv5Ixf1L_rHLLJF5MmhIJuceRD-_LCA")),
        EdgeCase(
            "y is 1", .point("BGkW-sReVotrni4uzWEbKC5fzECjBn1gEFf4ec5ainPMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"),
            .gives("Z_XfpwN4-24T9AJGfvst4mL6nMRVM0Fxzu6x1ThlL2E")),
        EdgeCase(
            "x is the prime less 3",
            .point("BP____8AAAABAAAAAAAAAAAAAAAA_______________8GXGb6_auoT8lyW39fHH1Il1Mj8CetaCrnznpF45VwSE"),
            .gives("OSBFP6zhnaAckge7mNiZdab2_bFB6Z0OBq3MZmvwq68")),
        EdgeCase(
            "the curve's generator",
            .point("BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"),
            .gives("_jP0qw3qcZFNtVgj9ztUlI9BMG2SBzLbuaWaUyhkgiA")),
        // Refused: coordinates that stand for these points, but not below the prime.
        EdgeCase(
            "x is the prime, for 0",
            .point("BP____8AAAABAAAAAAAAAAAAAAAA________________ZkhceA4vg9ckM71dhKBrtlQcKvMdrocXKL-FahdPk_Q"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "x is the prime and 5, for 5",
            .point("BP____8AAAABAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAERZJDuapYGAb-kTvOmYF63hHKUDxk2aPFM0FcCDJI-8w"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "y is the prime and 1, for 1",
            .point("BGkW-sReVotrni4uzWEbKC5fzECjBn1gEFf4ec5ainPM_____wAAAAEAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAA"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        // Refused: points of other curves. Some have a low order, which would tell a part of the private number.
        EdgeCase(
            "order 2 elsewhere",
            .point("BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "order 3 elsewhere",
            .point("BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQ"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "the twist",
            .point("BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC4cMmSF5Vpn5F3YNItMmejKCnfZFQiJ8ZotOdvIw9fPo"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "the generator of secp256k1",
            .point("BHm-Zn753LusVaBilc6HCwcCm_zbLc4o2VnygVsW-BeYSDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "the generator of brainpoolP256r1",
            .point("BIvSrrnLflfLLEtIL_yBt6-53ifh470jwjpEU72azjJiVH74NcPaxP2X-EYaFGEdycJ3RRMt7Y5UXB1Uxy8EaZc"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        // Refused: a valid point in a form of its own.
        EdgeCase(
            "x and y swapped",
            .point("BE_jQuL-Gn-bjufrSnwPnhYrzjNXazFezsu2QGg3v1H1axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "the low byte first",
            .point("BJbCmNhFOaH0oDPrLYF9A3fyQKRj5ea8-EdCLOHy0Rdr9VG_N2hAtsvOXjFrVzPOKxaeD3xK6-eOm38a_uJC408"),
            .refused(.invalidArgument, "is not a point on the curve P-256")),
        EdgeCase(
            "the first byte of a compressed point",
            .point("AmsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"),
            .refused(.invalidArgument, "its first byte is 2")),
        EdgeCase(
            "a y without its leading zeros", .point("BGkW-sReVotrni4uzWEbKC5fzECjBn1gEFf4ec5ainPMAA"),
            .refused(.invalidArgument, "it has 34")),
        EdgeCase(
            "x alone", .point("axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY"), .refused(.invalidArgument, "it has 32")),
        EdgeCase(
            "a public key in DER",
            .point(
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li_hp_m47n60p8D54W"
                    + "K84zV2sxXs7LtkBoN79R9Q"), .refused(.invalidArgument, "it has 91")),
        EdgeCase(
            "the text of a key",
            .point(
                "QkdzWDBmTGhMRUpILUx6bTVXT2tRUEozQTMyQkxlc3pvUFNoT1VYWW1NS1dULU5DNHY0YWY1dU81LXRLZkEtZUZpdk9NMWRyTVY3"
                    + "T3k3WkFhRGVfVWZV"), .refused(.invalidArgument, "it has 87")),
        EdgeCase(
            "a point of P-384",
            .point(
                "BKqHyiK-iwU3jrHHHvMgrXRuHTtii6ebmFn3QeCCVCo4VQLyXb9VKWw6VF44cnYKtzYX3kqWJixvXZ6Yv5KS3Cn49B29KJoUfOna"
                    + "MRO18LjACmCxzh1-gZ16Qx18kOoOXw"), .refused(.invalidArgument, "it has 97")),
        // Private numbers.
        EdgeCase(
            "the order and 1", .number("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVI"),
            .refused(.misconfigured, "is no private key on P-256")),
        EdgeCase(
            "a zero before the number", .number("AMn1j4mBPp-Ohy5x9CqmThdXySVNzGK3LdwBC7QEPqEc"),
            .refused(.misconfigured, "is no private key on P-256")),
        EdgeCase(
            "a private key in DER",
            .number(
                "MHcCAQEEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABoAoGCCqGSM49AwEHoUQDQgAEaxfR8uEsQkf4vOblY6RA8ncD"
                    + "fYEt6zOg9KE5RdiYwpZP40Li_hp_m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q"),
            .refused(.misconfigured, "is no private key on P-256")),
    ]
}
