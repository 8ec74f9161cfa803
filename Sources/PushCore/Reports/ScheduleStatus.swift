/// What a vendor says about a schedule that it keeps.
public struct ScheduleStatus: Sendable, Hashable {
    /// What the vendor calls the schedule; later calls name it by this.
    public var id: ScheduleID
    /// The name for people that the vendor's list shows.
    public var name: String
    /// Whether it still sends.
    public var isEnabled: Bool
    /// Nil where the vendor has a kind of trigger that the model does not have.
    public var trigger: ScheduleTrigger?

    /// A schedule as the vendor keeps it.
    public init(id: ScheduleID, name: String, isEnabled: Bool, trigger: ScheduleTrigger?) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.trigger = trigger
    }
}

/// One page of a vendor's list.
public struct Page<Element: Sendable>: Sendable {
    /// What the page lists, in the vendor's order.
    public var elements: [Element]
    /// The number of this page, from 1.
    public var number: Int
    /// Pages in all; nil where the vendor does not say.
    public var count: Int?

    /// A page of a list with its number, from 1, and the number of pages in all.
    public init(_ elements: [Element], number: Int, of count: Int?) {
        self.elements = elements
        self.number = number
        self.count = count
    }

    /// Whether there is another page behind this one, as far as the vendor says.
    public var isLast: Bool { count.map { number >= $0 } ?? elements.isEmpty }
}

extension Page {
    /// A page of a list of so many elements, with so many on a page.
    package init(_ elements: [Element], number: Int, total: Int, size: Int) {
        self.init(elements, number: number, of: total > 0 ? (total - 1) / max(1, size) + 1 : 0)
    }
}
