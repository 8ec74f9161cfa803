import FoundationEssentials
import PushAdapter

/// A slice as the store leases it.
struct Leased: Sendable {
    let row: SliceRow
    let targets: [UInt8]
    /// Nil if it is gone.
    let campaign: Campaign?
}

/// A leased slice that was read: all that an attempt for it is about.
struct SliceTask: Sendable {
    var row: SliceRow
    let campaign: Campaign
    let part: Campaign.Part
    let work: SliceWork
}
