import Glibc
import PushIO
import Testing

/// The first and last addresses of each range, and their neighbors.
@Suite("Public addresses")
struct NetworkAddressTests {
    static let reserved = [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200", "100.127.255.255",
        "127.0.0.0", "127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.169.254",
        "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255", "192.0.2.0",
        "192.0.2.255", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0",
        "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255", "224.0.0.0",
        "239.255.255.255", "240.0.0.0", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:0.0.0.0", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8", "::8.8.8.8",
        "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::8.8.8.8", "100::1",
        "2001::", "2001:0:808:808::1", "2001:2::1", "2001:20::1", "2001:1ff:ffff::", "2001:db8::", "2001:db8:ffff::1",
        "2002:808:808::1", "2002:7f00:1::1", "3fff::", "3fff:fff:ffff::1", "4000::", "5f00::1", "fc00::",
        "fd00:ec2::254", "fdff:ffff::", "fe80::", "febf:ffff::1", "fec0::", "feff::1", "ff00::", "ff02::1", "ffff::",
    ]
    static let open = [
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255",
        "172.32.0.0", "192.0.1.0", "192.0.1.255", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255",
        "203.0.114.0", "223.255.255.255",
        "2000::", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2606:4700::1111", "2a00:1450::1",
        "3ffe::1", "3fff:1000::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    ]

    @Test("an address of a reserved range is not public", arguments: reserved)
    func isReserved(text: String) throws {
        #expect(NetworkAddress(text: text)?.isPublic == false)
        #expect(try Self.address(ofSocket: text)?.isPublic == false)
    }

    @Test("every other address is public", arguments: open)
    func isPublic(text: String) throws {
        #expect(NetworkAddress(text: text)?.isPublic == true)
        #expect(try Self.address(ofSocket: text)?.isPublic == true)
    }

    @Test(
        "a text that is no address is none",
        arguments: ["", "localhost", "127.1", "2130706433", "[::1]", "::1%lo", "8.8.8.8:53", "8.8.8.8 "])
    func noAddress(text: String) {
        #expect(NetworkAddress(text: text) == nil)
    }

    @Test("a socket of another family has no address")
    func otherFamily() {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNIX)
        #expect(NetworkAddress(&address) == nil)
    }

    /// The address as the system's resolver writes it.
    private static func address(ofSocket text: String) throws -> NetworkAddress? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        try #require(getaddrinfo(text, nil, &hints, &list) == 0)
        defer { freeaddrinfo(list) }
        return try NetworkAddress(#require(list?.pointee.ai_addr))
    }
}
