import PushAdapter

// Computed with Python, not with this code.

extension EdgeCase {
    /// Bodies of pushes for the subscription of RFC 8291.
    static let pushes: [EdgeCase] = [
        // Taken.
        EdgeCase(
            "a usual one",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A_SntdHF6GYmfSnHE7lSIVIHfO14yK62w"), .gives("d2FscnVz")),
        EdgeCase(
            "the greatest record size",
            .push(
                "DGv6ra1nlYgDCS1FRnbzl_____9BBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A_SntdHF6GYmfSnHE7lSIVIHfO14yK62w"), .gives("d2FscnVz")),
        EdgeCase(
            "the subscription's own key as the sender's",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZ"
                    + "GH6SRpkNtoIAiw7YXs_bfnUiFSG6h76kfqrQdujU0uDuig"), .gives("d2FscnVz")),
        EdgeCase(
            "a sender's key with x 0",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAZkhceA4vg9ckM71dhKBrtlQcKvMd"
                    + "rocXKL-FahdPk_TouZPPQ-FvoHnFaHgPVnXPEFfDKeV6Pg"), .gives("d2FscnVz")),
        // The sender's key.
        EdgeCase(
            "x is the prime and 5, for 5",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP____8AAAABAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAERZJDuapYGAb-kTvOmYF63hHKUDxk"
                    + "2aPFM0FcCDJI-8wpCzqsDMdj0TmrE1UVQeJZpNP3K9Hk2w"),
            .refused(.invalidArgument, "the sender's key in the header is not a point on the curve P-256")),
        EdgeCase(
            "order 3 elsewhere",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAQkllJVz7jjR5L9BHE40rwPJPQ7A1XtDw"),
            .refused(.invalidArgument, "the sender's key in the header is not a point on the curve P-256")),
        EdgeCase(
            "zeros",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAABuHVGM41Uqd_m_5XCbZnnCUrqlOy4izQ"),
            .refused(.invalidArgument, "its first byte is 0")),
        EdgeCase(
            "infinity, in one byte", .push("DGv6ra1nlYgDCS1FRnbzlwAAEAABAObmeJwx5VYXsuknf4HaEqRzsxuFgUg1"),
            .refused(.invalidArgument, "it has 1")),
        EdgeCase(
            "a byte behind the key",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABCBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A8AyY9AW9V2_IS0Rms_r1DGZZ2GvyK-_yk"), .refused(.invalidArgument, "it has 66")),
        EdgeCase(
            "the key's other y",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg8aaFg4Q9n0bj3YZnp_ZtFsaM_9HP"
                    + "7V11Fw-URIcaE_DSntdHF6GYmfSnHE7lSIVIHfO14yK62w"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        // Keys that were derived in another way.
        EdgeCase(
            "both keys swapped",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A9VbG6kknKPhbQmtcpQDmQn2xtGs8UvfQ"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        EdgeCase(
            "no auth secret",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A8gtHN2as-HBkhsaKtleBFte0MetvEutg"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        EdgeCase(
            "the shared secret as it is",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A_urEnjyZ42E-0RTOAneZ_qk2YkWeGFfg"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        EdgeCase(
            "no keys in the purpose",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A9_-Y1d09uqD9doQT8GKYIvEO_qkdO9dA"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        // Sizes.
        EdgeCase(
            "a header alone",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A8"), .refused(.invalidArgument, "record 1 has 0 bytes; the minimum is 17")),
        EdgeCase(
            "16 bytes of record",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A_SntdHF6GYmfSnHE7lSIVI"),
            .refused(.invalidArgument, "record 1 has 16 bytes; the minimum is 17")),
        EdgeCase(
            "cut by a byte",
            .push(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                    + "EqKK6PBru3jl7A_SntdHF6GYmfSnHE7lSIVIHfO14yK6"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
    ]
}
