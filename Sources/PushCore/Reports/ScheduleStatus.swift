/// A schedule as the vendor reports it.
public struct ScheduleStatus: Sendable, Hashable {
    /// The vendor's id of the schedule; pass it to later calls.
    public var id: ScheduleID
    /// The name that the vendor's list shows.
    public var name: String
    /// Whether the schedule still sends.
    public var isEnabled: Bool
    /// When it sends; nil where the model does not have the vendor's kind of trigger.
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
    /// The elements of the page, in the vendor's order.
    public var elements: [Element]
    /// The number of this page, from 1.
    public var number: Int
    /// The number of all pages; nil where the vendor does not say.
    public var count: Int?

    /// A page of a list, with its number, from 1, and the number of all pages.
    public init(_ elements: [Element], number: Int, of count: Int?) {
        self.elements = elements
        self.number = number
        self.count = count
    }

    /// Whether this is the last page. Without a page count, an empty page counts as the last.
    public var isLast: Bool { count.map { number >= $0 } ?? elements.isEmpty }
}

extension Page {
    /// A page of a list with `total` elements and `size` elements a page.
    package init(_ elements: [Element], number: Int, total: Int, size: Int) {
        self.init(elements, number: number, of: total > 0 ? (total - 1) / max(1, size) + 1 : 0)
    }
}
