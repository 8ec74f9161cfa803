import PushAdapter
import PushCrypto
import Testing

@Suite("AES-128-GCM")
struct AES128GCMTests {
    /// The specification of GCM by McGrew and Viega, test cases 1 to 3, and two of NIST's file `gcmEncryptExtIV128.rsp`.
    struct Case: Sendable {
        let key: String
        let nonce: String
        let text: String
        let sealed: String
    }

    static let cases = [
        Case(
            key: zeros, nonce: "000000000000000000000000", text: "", sealed: "58e2fccefa7e3061367f1d57a4e7455a"),
        Case(
            key: zeros, nonce: "000000000000000000000000", text: zeros,
            sealed: "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"),
        Case(
            key: "feffe9928665731c6d6a8f9467308308", nonce: "cafebabefacedbaddecaf888",
            text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            sealed: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f59854d5c2af327cd64a62cf35abd2ba6fab4"),
        Case(
            key: "11754cd72aec309bf52f7687212e8957", nonce: "3c819d9a9bed087615030b65", text: "",
            sealed: "250327c674aaf477aef2675748cf6971"),
        Case(
            key: "7fddb57453c241d03efbed3ac44e371c", nonce: "ee283a3fc75575e33efd4887",
            text: "d5de42b461646c255c87bd2962d3b9a2",
            sealed: "2ccda4a5415cb91e135c2a0f78c9b2fdb36d1df9b9d5e596f83e8b7f52971cb3"),
    ]

    private static let zeros = "00000000000000000000000000000000"

    @Test("seals to the published ciphertexts, and opens them again", arguments: cases)
    func published(published: Case) throws {
        let cipher = try AES128GCM(key: Secret(Bytes.hex(published.key)))
        let nonce = Secret(Bytes.hex(published.nonce))
        var bytes = [1, 2, 3] + Bytes.hex(published.text)
        try cipher.seal(&bytes, from: 3, nonce: nonce)
        #expect(Digests.hex(bytes) == "010203" + published.sealed)
        #expect(try cipher.open(bytes[3...], nonce: nonce) == Bytes.hex(published.text))
        // The value is of use again.
        var again = Bytes.hex(published.text)
        try cipher.seal(&again, nonce: nonce)
        #expect(Digests.hex(again) == published.sealed)
    }

    @Test("opens nothing that was changed in any bit, or cut")
    func changed() throws {
        let published = Self.cases[4]
        let cipher = try AES128GCM(key: Secret(Bytes.hex(published.key)))
        let nonce = Secret(Bytes.hex(published.nonce))
        let sealed = Bytes.hex(published.sealed)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try cipher.open(changed[...], nonce: nonce) == nil, "bit \(bit)")
        }
        for count in 0..<sealed.count { #expect(try cipher.open(sealed.prefix(count), nonce: nonce) == nil) }
        for count in 1...sealed.count { #expect(try cipher.open(sealed.dropFirst(count), nonce: nonce) == nil) }
        #expect(try cipher.open(sealed[...], nonce: Secret(Bytes.hex(Self.cases[3].nonce))) == nil)
        #expect(try AES128GCM(key: Secret(Bytes.hex(Self.zeros))).open(sealed[...], nonce: nonce) == nil)
        #expect(try cipher.open(sealed[...], nonce: nonce) != nil)
    }

    @Test("refuses keys and nonces of another length", arguments: [0, 8, 11, 12, 13, 15, 16, 17, 24, 32])
    func lengths(count: Int) throws {
        let secret = Secret([UInt8](repeating: 7, count: count))
        if count != 16 {
            let error = #expect(throws: PushError.self) { _ = try AES128GCM(key: secret) }
            #expect(error?.kind == .invalidArgument)
        }
        guard count != 12 else { return }
        let cipher = try AES128GCM(key: Secret(Bytes.hex(Self.zeros)))
        var bytes: [UInt8] = [1]
        #expect(throws: PushError.self) { try cipher.seal(&bytes, nonce: secret) }
        #expect(throws: PushError.self) { try cipher.open([UInt8](repeating: 0, count: 20)[...], nonce: secret) }
        #expect(bytes == [1])
    }
}
