import PushAdapter

// Computed with Python, not with this code.

extension EdgeCase {
    /// Bodies of the content encoding aes128gcm, and digests of long ones.
    static let bodies: [EdgeCase] = [
        // Record sizes and key ids (RFC 8188).
        EdgeCase(
            "a record size of 2^31", .body("AAECAwQFBgcICQoLDA0OD4AAAAAAxGJyXqW0x9rD6JPKFpaZfYLj2KMWP0Y"),
            .gives("d2FscnVz")),
        EdgeCase(
            "the greatest record size", .body("AAECAwQFBgcICQoLDA0OD_____8AxGJyXqW0x9rD6JPKFpaZfYLj2KMWP0Y"),
            .gives("d2FscnVz")),
        EdgeCase(
            "a record size with its low byte first, so 1 MiB",
            .body("AAECAwQFBgcICQoLDA0ODwAQAAAAxGJyXqW0x9rD6JPKFpaZfYLj2KMWP0Y"), .gives("d2FscnVz")),
        EdgeCase(
            "two records, the size with its low byte first",
            .body("AAECAwQFBgcICQoLDA0ODxIAAAAAxAKdh3zhNGXdSIMQVjZ4vnqNbCO7obxHbJmHLibV66_M2h1k"),
            .refused(.invalidArgument, "was encrypted with another key, or it was changed")),
        EdgeCase(
            "a key id of 255 bytes",
            .body(
                "AAECAwQFBgcICQoLDA0ODwAAEAD_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAxGJyXqW0x9rD6JPKFpaZfYLj2KMWP0Y"
            ), .gives("d2FscnVz")),
        EdgeCase(
            "a key id beyond the body", .body("AAECAwQFBgcICQoLDA0ODwAAEAD_YWJj"),
            .refused(.invalidArgument, "the body ends in it, after 24 bytes")),
        EdgeCase(
            "a key id one byte beyond the body", .body("AAECAwQFBgcICQoLDA0ODwAAEAAEYWJj"),
            .refused(.invalidArgument, "the body ends in it, after 24 bytes")),
        EdgeCase(
            "a key id, and no record", .body("AAECAwQFBgcICQoLDA0ODwAAEAADYWJj"),
            .refused(.invalidArgument, "record 1 has 0 bytes; the minimum is 17")),
        // Records.
        EdgeCase(
            "a full record, then one without text",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAxGJyXtEHtGQHBaVb-fPTaD6YxRzVD3Jp_KdUphhjseRA5S2euLE"), .gives("d2Fscg")),
        EdgeCase(
            "records of padding before the text",
            .body(
                "AAECAwQFBgcICQoLDA0ODwAAABUAsgMeLNCSMHSKsDfOZjWXzZ8ChZtiDCE3N5YhQcSqqjayAfzabUR7BLIxvXqAklfnCkMDVf4a"
                    + "oUj9ZFf8F5w"), .gives("d2Fs")),
        EdgeCase(
            "padding in the last record",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAxGJyXtEHtGQHBaVb-fPTaD6YxRzVeFI1N5YVONXLeBmRfr7EJQ89Idr0"),
            .gives("d2FscnVz")),
        EdgeCase(
            "an inner record that is not full",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAxGJyLecFL4cr8zJ0GScr6JK_zDZ_VEQ1ZL9R4Rpket14ImuiOMcgiQ"),
            .refused(.invalidArgument, "was encrypted with another key, or it was changed")),
        EdgeCase(
            "delimiter 128", .body("AAECAwQFBgcICQoLDA0ODwAAEAAAxGJyXqW0RbX-9zXcrjb-3oHM2edNmFw"),
            .refused(.invalidArgument, "is the last one, but its delimiter is not 2")),
        EdgeCase(
            "padding in front, as aesgcm has it", .body("AAECAwQFBgcICQoLDA0ODwAAEAAAswNpTby1sIY6dZQSyGxG0jlLn8bhu1Vr"),
            .refused(.invalidArgument, "is the last one, but its delimiter is not 2")),
        EdgeCase(
            "zeros", .body("AAECAwQFBgcICQoLDA0ODwAAEAAAswMeLNDHxe4Qbne9UaIu-ON50QgGxpQ"),
            .refused(.invalidArgument, "record 1 has no delimiter")),
        // Nonces and keys that were derived in another way.
        EdgeCase(
            "one nonce for all records",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAxGJyXtEHtGQHBaVb-fPTaD6YxRzVxnAc-U9xTsUKpbDfjhZwGsQiBw"),
            .refused(.invalidArgument, "record 2 was encrypted with another key, or it was changed")),
        EdgeCase(
            "the number in the first bytes of the nonce",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAxGJyXtEHtGQHBaVb-fPTaD6YxRzV6jzU83u4qgynCee16ktlXhZsBg"),
            .refused(.invalidArgument, "record 2 was encrypted with another key, or it was changed")),
        EdgeCase(
            "the number in the middle of the nonce",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAxGJyXtEHtGQHBaVb-fPTaD6YxRzV0gZoK1hgjoaM7ND_fWMyT9tsPg"),
            .refused(.invalidArgument, "record 2 was encrypted with another key, or it was changed")),
        EdgeCase(
            "records counted from 1",
            .body("AAECAwQFBgcICQoLDA0ODwAAABUAekBbRZe0xdQnH6QnnjqeyOXhRDWGv2julsSb964LtwVAWxM3VQtGlQ"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        EdgeCase(
            "the header as additional data", .body("AAECAwQFBgcICQoLDA0ODwAAEAAAxGJyXqW0x1-Xcvki71I9YAex-RuUUKo"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        EdgeCase(
            "the purpose without its zero", .body("AAECAwQFBgcICQoLDA0ODwAAEAAALBJ_MrvzW5LdaQwGg6BdVaYNmI6Lk7E"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        EdgeCase(
            "the purpose of aesgcm", .body("AAECAwQFBgcICQoLDA0ODwAAEAAAn-ycUzxKjFNCwMTEzX8NX2sTPt4PhPw"),
            .refused(.invalidArgument, "record 1 was encrypted with another key, or it was changed")),
        // Texts in records of 18 bytes, one byte each: the number of a record grows by a byte at 256 and at 65,536.
        EdgeCase("255 records", .records(count: 255), .gives("BV1CXv3Ilvc5CSURYtUm8IuL630kGPl8JMr2N3dxGJU")),
        EdgeCase("257 records", .records(count: 257), .gives("XHliwPrOo8ZCkRZw3W_h1u7qrOsGVDuYEkVbVANTaXI")),
        EdgeCase("65537 records", .records(count: 65537), .gives("Ku95z5qc0hJc7hW3eakOiHxLwsB3Bh8XMfR1ghtH6W0")),
    ]
}
