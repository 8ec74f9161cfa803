#if PostgreSQL
    package import FoundationEssentials
    import PushAdapter

    /// How far a server's clock is ahead of this machine's, measured by the latest transaction. Sessions convert all
    /// dates by it, so that all rows are on the server's clock.
    package final class ServerClock: Sendable {
        private let local: @Sendable () -> Date
        private let state = Locked(0.0)

        /// - Parameter local: this machine's time.
        package init(_ local: @escaping @Sendable () -> Date = { .now }) { self.local = local }

        /// In whole seconds. Network delays are shorter, so clocks that agree cause no conversion.
        package var lead: TimeInterval { state.withLock { $0 } }

        func note(_ date: Date) -> TimeInterval {
            let difference = date.timeIntervalSince(local())
            let lead = abs(difference) < 1 ? 0 : difference.rounded()
            state.withLock { $0 = lead }
            return lead
        }
    }
#endif
