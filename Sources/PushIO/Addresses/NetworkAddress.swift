package import Glibc

/// An IPv4 or IPv6 address, and whether it belongs to the public internet.
///
/// A transport asks this about the address to which it connects, after the lookup of a name: a name may have any
/// address, and another one at the next lookup.
package struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16 bytes.
    private let bytes: [UInt8]

    /// Reads the address of a socket; nil if it is neither IPv4 nor IPv6.
    package init?(_ address: UnsafePointer<sockaddr>) {
        let start = UnsafeRawPointer(address)
        let (offset, count): (Int?, Int)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: (offset, count) = (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: (offset, count) = (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: return nil
        }
        guard let offset else { return nil }
        bytes = Array(UnsafeRawBufferPointer(start: start + offset, count: count))
    }

    /// Reads an address without brackets, as the system writes it; nil for any other text.
    package init?(text: UnsafePointer<CChar>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    private init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Whether it is neither of this machine, nor of a private network or a cloud's metadata, nor reserved.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.reserved4.contains { $0.contains(bytes) } }
        if let inner { return inner.isPublic }
        return Self.global6.contains(bytes) && !Self.reserved6.contains { $0.contains(bytes) }
    }

    /// The IPv4 address that a gateway, or this machine, connects to in its place.
    private var inner: NetworkAddress? {
        Self.translated.contains { $0.contains(bytes) } ? NetworkAddress(bytes.suffix(4)) : nil
    }
}

// MARK: The ranges

extension NetworkAddress {
    /// The addresses that begin with these bits.
    private struct Block {
        let prefix: [UInt8]
        let bits: Int

        /// - Parameter prefix: the bytes up to the last that `bits` reach.
        init(_ prefix: UInt8..., bits: Int) { (self.prefix, self.bits) = (prefix, bits) }

        func contains(_ bytes: [UInt8]) -> Bool {
            let whole = bits / 8
            guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
            return bits % 8 == 0 || (bytes[whole] ^ prefix[whole]) >> UInt8(8 - bits % 8) == 0
        }
    }

    /// IANA's registry of special-purpose addresses (RFC 6890), multicast (RFC 5771), and one address of a cloud.
    private static let reserved4 = [
        Block(0, bits: 8),  // this network
        Block(10, bits: 8),  // private
        Block(100, 64, bits: 10),  // behind a carrier's gateway, and Alibaba Cloud's metadata
        Block(127, bits: 8),  // this machine
        Block(168, 63, 129, 16, bits: 32),  // Azure's services for the machine itself
        Block(169, 254, bits: 16),  // link-local, and most clouds' metadata
        Block(172, 16, bits: 12),  // private
        Block(192, 0, 0, bits: 24),  // protocols, and Oracle Cloud's metadata
        Block(192, 0, 2, bits: 24),  // documentation
        Block(192, 88, 99, bits: 24),  // 6to4 relays
        Block(192, 168, bits: 16),  // private
        Block(198, 18, bits: 15),  // benchmarks
        Block(198, 51, 100, bits: 24),  // documentation
        Block(203, 0, 113, bits: 24),  // documentation
        Block(224, bits: 4),  // multicast
        Block(240, bits: 4),  // reserved, and broadcast
    ]

    /// The addresses that IANA gives out as global (RFC 4291). Everything else is not public: `::`, `::1`, `100::/64`,
    /// `64:ff9b:1::/48`, `fc00::/7`, `fe80::/10`, `fec0::/10`, `ff00::/8`.
    private static let global6 = Block(0x20, bits: 3)

    /// The exceptions in `global6`.
    private static let reserved6 = [
        Block(0x20, 0x01, 0x00, bits: 23),  // protocols, among them Teredo, which hides an IPv4 address
        Block(0x20, 0x01, 0x0D, 0xB8, bits: 32),  // documentation
        Block(0x20, 0x02, bits: 16),  // 6to4, which hides an IPv4 address
        Block(0x3F, 0xFF, 0x00, bits: 20),  // documentation
    ]

    /// Ranges that stand for IPv4; the address is in the last four bytes.
    private static let translated = [
        Block(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, bits: 96),  // ::ffff:0:0/96, IPv4 over a socket of IPv6
        Block(0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, bits: 96),  // 64:ff9b::/96, NAT64 (RFC 6052)
    ]
}
