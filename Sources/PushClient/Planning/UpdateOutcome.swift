public import PushAdapter

/// The outcome of a change of a device that may take several requests.
public struct UpdateOutcome<Element: Hashable & Sendable>: Sendable {
    /// The elements that the vendor confirmed as added by this call.
    public internal(set) var added: Set<Element> = []
    /// The elements that the vendor confirmed as removed by this call.
    public internal(set) var removed: Set<Element> = []
    /// The elements that the vendor ignored while it accepted the rest.
    public internal(set) var rejected: Set<Element> = []
    /// Everything the device now has; nil if that is not known.
    public internal(set) var current: Set<Element>?
    /// Requests that succeeded.
    public internal(set) var requests = 0
    /// Whether no intermediate state was ever visible.
    public internal(set) var isAtomic = true
    /// Why the change stopped halfway; nil when it is complete.
    public internal(set) var failure: PushError?

    /// Steps that the vendor confirmed; reading does not count.
    var confirmedSteps = 0

    /// Whether the whole change was made.
    public var isComplete: Bool { failure == nil && rejected.isEmpty }
}

/// The outcome of a change of tags.
public typealias TagOutcome = UpdateOutcome<Tag>
/// The outcome of a change of accounts.
public typealias AccountOutcome = UpdateOutcome<Account>
/// The outcome of a change of attributes, by their names.
public typealias AttributeOutcome = UpdateOutcome<String>

extension UpdateOutcome {
    /// Records a step that the vendor confirmed, with its changes in order.
    mutating func note(_ step: [SetUpdate<Element>], rejected refused: Set<Element> = []) {
        requests += 1
        confirmedSteps += 1
        rejected.formUnion(refused)
        for change in step { note(change, except: refused) }
    }

    private mutating func note(_ step: SetUpdate<Element>, except refused: Set<Element>) {
        switch step {
        case .add(let elements): added.formUnion(elements.subtracting(refused))
        case .remove(let elements): removed.formUnion(elements.subtracting(refused))
        case .replace(let elements): added = elements.subtracting(refused)
        case .clear: removed.formUnion(current ?? [])
        }
        // A set that was not read is known only once it is replaced or cleared.
        let base = current ?? (step.isWhole ? [] : nil)
        current = base.map { step.applied(to: $0).subtracting(refused) }
    }
}

extension UpdateOutcome {
    /// Returns the outcome, or throws its failure if the vendor confirmed no step.
    func orFailure() throws(PushError) -> UpdateOutcome {
        if let failure, confirmedSteps == 0 { throw failure }
        return self
    }
}
