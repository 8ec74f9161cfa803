#if PostgreSQL
    import CPq
    import Glibc
    import PushAdapter

    /// Waits for the results of a server, which must not be silent for too long.
    ///
    /// The functions of libpq that wait have no limit. A server that hangs would hold up their caller for ever, because
    /// its kernel still acknowledges the packets.
    struct PostgresWait {
        private let handle: OpaquePointer
        /// In milliseconds.
        private let longestSilence: Int32

        /// Takes over a new connection.
        init(_ handle: OpaquePointer, _ longestSilence: Duration) {
            self.handle = handle
            self.longestSilence = Int32(clamping: Int64(longestSilence.bounded / .milliseconds(1)))
            // Otherwise sending to a server that reads nothing would block, and so would the end of the session.
            PQsetnonblocking(handle, 1)
        }

        /// Returns the last result of the statements that were just sent. Returns nil if the server was silent for too
        /// long or the connection is lost. Then the session must end.
        /// - Parameter isSent: 1 if libpq took the statements.
        func result(sent isSent: Int32) -> OpaquePointer? {
            guard isSent == 1 else { return nil }
            var last: OpaquePointer?
            while waitForResult() {
                guard let next = PQgetResult(handle) else { return last }
                PQclear(last)
                last = next
            }
            PQclear(last)
            return nil
        }

        /// Sends the rest. Returns true as soon as `PQgetResult` does not block.
        private func waitForResult() -> Bool {
            while true {
                let rest = PQflush(handle)
                if rest == 0, PQisBusy(handle) == 0 { return true }
                guard rest >= 0, waitForBytes(alsoToSend: rest > 0) else { return false }
            }
        }

        /// Waits until the server sends some bytes, or takes some.
        private func waitForBytes(alsoToSend: Bool) -> Bool {
            let events = Int16(alsoToSend ? POLLIN | POLLOUT : POLLIN)
            var place = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            var count: Int32
            repeat { count = poll(&place, 1, longestSilence) } while count < 0 && errno == EINTR
            guard count > 0 else { return false }
            return place.revents == Int16(POLLOUT) || PQconsumeInput(handle) == 1
        }
    }
#endif
