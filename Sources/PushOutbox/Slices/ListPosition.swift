/// The position of a target in the caller's list, from 0.
///
/// A slice holds some targets of a list, so a target's index in its slice is another number. The compiler tells them
/// apart: an index is an `Int`.
struct ListPosition: Sendable, Hashable {
    var number: Int

    init(_ number: Int) { self.number = number }
}
