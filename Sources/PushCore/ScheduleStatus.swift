/// What a vendor says about a schedule that it keeps.
public struct ScheduleStatus: Sendable, Hashable {
    public var id: ScheduleID
    public var name: String
    /// Whether it still sends.
    public var isEnabled: Bool
    /// Nil where the vendor has a kind of trigger that the model does not have.
    public var trigger: ScheduleTrigger?

    public init(id: ScheduleID, name: String, isEnabled: Bool, trigger: ScheduleTrigger?) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.trigger = trigger
    }
}

/// One page of a vendor's list.
public struct Page<Element: Sendable>: Sendable {
    public var elements: [Element]
    /// The number of this page, from 1.
    public var number: Int
    /// Pages in all; nil where the vendor does not say.
    public var count: Int?

    public init(_ elements: [Element], number: Int, of count: Int?) {
        self.elements = elements
        self.number = number
        self.count = count
    }

    /// Whether there is another page behind this one, as far as the vendor says.
    public var isLast: Bool { count.map { number >= $0 } ?? elements.isEmpty }
}
