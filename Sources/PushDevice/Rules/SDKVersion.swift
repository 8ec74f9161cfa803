/// A version of a device SDK: `4.3.5`.
public struct SDKVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let parts: [Int]

    /// Major, minor and patch.
    public init(_ major: Int, _ minor: Int, _ patch: Int) { parts = [major, minor, patch] }

    /// The numbers with dots between them.
    public var description: String { parts.map(String.init).joined(separator: ".") }

    public static func < (left: SDKVersion, right: SDKVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
