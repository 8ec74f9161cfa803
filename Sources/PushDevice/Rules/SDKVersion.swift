/// A version of a device SDK: `4.3.5`, or `1.3.2.0` where the vendor counts four numbers.
public struct SDKVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let parts: [Int]

    /// Major, minor and patch.
    public init(_ major: Int, _ minor: Int, _ patch: Int) { parts = [major, minor, patch] }

    /// Four numbers, as TPNS counts.
    public init(_ major: Int, _ minor: Int, _ patch: Int, _ build: Int) { parts = [major, minor, patch, build] }

    /// The numbers with dots between them.
    public var description: String { parts.map(String.init).joined(separator: ".") }

    public static func < (left: SDKVersion, right: SDKVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
