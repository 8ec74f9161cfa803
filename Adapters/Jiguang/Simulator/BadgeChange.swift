/// A notification's change to the badge that the server keeps for a device.
package enum BadgeChange: Sendable {
    case set(Int)
    case add(Int)

    /// The badge after the change; never below 0.
    package func applied(to badge: Int) -> Int {
        switch self {
        case .set(let number): number
        case .add(let number): max(0, badge.addingReportingOverflow(number).partialValue)
        }
    }
}
