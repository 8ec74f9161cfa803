import FoundationEssentials
import PushAdapter

/// A slice as leased from the store.
struct Leased: Sendable {
    let row: SliceRow
    let targets: [UInt8]
    /// Nil if the campaign is gone.
    let campaign: Campaign?
}

/// A leased slice, decoded for an attempt.
struct SliceTask: Sendable {
    var row: SliceRow
    /// The key of the next request. The row has it only if the request may be repeated with it.
    var key: IdempotencyKey?
    let campaign: Campaign
    let part: Campaign.Part
    let work: SliceWork
    /// When the row got its key. The key's end counts from here.
    var begun: Moment
}
