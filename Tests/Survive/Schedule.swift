import ArgumentParser

/// The target of a round's attack.
enum Turn: String, CaseIterable, ExpressibleByArgument {
    /// One vendor, over one kind of connection.
    case vendor
    /// Several vendors behind a router.
    case router
    /// The workers of an outbox: they are killed.
    case kills
    /// The file of an outbox: it is moved, removed or cut under its worker.
    case file
    /// The rows of an outbox: another program writes into them.
    case rows
    /// The clock of an outbox: it jumps.
    case clock

    /// The order of the rounds. A run of one minute goes through it once.
    static let order: [Turn] = [
        .vendor, .vendor, .vendor, .router, .vendor, .vendor, .vendor, .kills, .vendor, .vendor, .file, .vendor, .rows,
        .vendor, .clock, .vendor, .vendor,
    ]
}

/// The order in which vendors meet carriers: each of them in turn.
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
