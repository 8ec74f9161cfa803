import FoundationEssentials
import PushAdapter

/// Bindings in pages, as the store returned them. Numbers stand for bindings, so that plans for millions copy none.
struct BindingPages: Sendable {
    private static let shift = 32
    private static let mask = 1 << shift - 1

    private var pages: [[Binding]] = []

    /// All bindings.
    var count: Int { pages.reduce(0) { $0 + $1.count } }

    subscript(number: Int) -> Binding { pages[number >> Self.shift][number & Self.mask] }

    // Read single fields, because a copy of a whole binding retains eight references.
    func route(of number: Int) -> RouteName { pages[number >> Self.shift][number & Self.mask].route }
    func target(of number: Int) -> Target { pages[number >> Self.shift][number & Self.mask].target }
    func platform(of number: Int) -> Platform? { pages[number >> Self.shift][number & Self.mask].platform }
    func boundAt(_ number: Int) -> Date { pages[number >> Self.shift][number & Self.mask].boundAt }
    func installation(of number: Int) -> InstallationID? {
        pages[number >> Self.shift][number & Self.mask].installation
    }

    /// Adds a page and returns the numbers of its bindings.
    mutating func append(_ page: [Binding]) -> Range<Int> {
        let first = pages.count << Self.shift
        pages.append(page)
        return first..<(first + page.count)
    }
}
