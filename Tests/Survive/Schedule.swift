import ArgumentParser

/// What a round attacks.
enum Turn: String, CaseIterable, ExpressibleByArgument {
    /// One vendor, over one kind of connection.
    case vendor
    /// Several vendors behind a router.
    case router
    /// The workers of an outbox, which are killed.
    case kills
    /// The file of an outbox, which is moved, removed or cut under its worker.
    case file
    /// The rows of an outbox, which somebody else wrote.
    case rows
    /// The clock of an outbox, which jumps.
    case clock

    /// The order of the rounds. A run of a minute comes once to its end.
    static let order: [Turn] = [
        .vendor, .vendor, .router, .vendor, .vendor, .kills, .vendor, .file, .vendor, .rows, .vendor, .clock, .vendor,
        .vendor,
    ]
}

/// Which vendors meet which carriers, and in which order: each of them in turn.
struct Schedule {
    private let carriers: [Carrier]
    private var turns: [Carrier: Int] = [:]
    private var number = 0

    init(only carrier: Carrier?) { carriers = carrier.map { [$0] } ?? Carrier.turns }

    mutating func next() -> (kind: HostileVendor.Kind, carrier: Carrier) {
        let carrier = carriers[number % carriers.count]
        let turn = turns[carrier, default: 0]
        number += 1
        turns[carrier] = turn + 1
        return (carrier.kinds[turn % carrier.kinds.count], carrier)
    }
}
