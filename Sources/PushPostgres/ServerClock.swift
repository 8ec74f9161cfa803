#if PostgreSQL
    package import FoundationEssentials
    import PushAdapter

    /// How far a server's clock is ahead of this machine's, as its latest transaction found it. Sessions translate all dates
    /// by it, so that the rows have the server's, whoever writes them.
    package final class ServerClock: Sendable {
        private let local: @Sendable () -> Date
        private let state = Locked(0.0)

        /// - Parameter local: this machine's time.
        package init(_ local: @escaping @Sendable () -> Date = { .now }) { self.local = local }

        /// In whole seconds: the way of an answer takes less, and clocks that agree are left alone.
        package var lead: TimeInterval { state.withLock { $0 } }

        func note(_ date: Date) -> TimeInterval {
            let difference = date.timeIntervalSince(local())
            let lead = abs(difference) < 1 ? 0 : difference.rounded()
            state.withLock { $0 = lead }
            return lead
        }
    }
#endif
