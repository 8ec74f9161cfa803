import Foundation

extension [Double] {
    /// The middle number; for an even count, the higher of the two.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

extension Double {
    /// The number with this many digits after the point.
    func rounded(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }

    /// `37,123`.
    var whole: String {
        let digits = String(Int(self.rounded()))
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.prefix(end).suffix(Swift.min(3, end))
        }
        return groups.reversed().joined(separator: ",")
    }
}
