public import PushAdapter

extension PushOutbox {
    /// Carries out campaigns until the task is cancelled. Then it leases nothing more, waits for requests in flight
    /// (`settings.drain`), and returns. Shut the clients down after that.
    ///
    /// If the store allows one worker and another process has the claim, it waits as a standby. It takes over as soon
    /// as that process ends, even by a crash.
    ///
    /// Refuses an outbox without routes with `misconfigured`. Throws if the store cannot be read at the start. Later
    /// failures of the store are events, and the worker continues. Throws `stopped` if the store was closed or its file
    /// was moved.
    public func run() async throws(PushError) { try await run(untilIdle: false) }

    /// Sends everything that can be sent now, then returns. Work that is due later stays in the store.
    ///
    /// Takes over the work of dead workers. If a worker only seems dead, it waits until the store knows, on PostgreSQL
    /// at most two worker lives. If the store fails, it waits until it has written down the answers of vendors. Refuses
    /// with `busy` while another process has the only claim of the store.
    public func runUntilIdle() async throws(PushError) { try await run(untilIdle: true) }

    private func run(untilIdle: Bool) async throws(PushError) {
        guard !routes.isEmpty else {
            throw PushError(.misconfigured, "the outbox has no routes; give it at least one client by name")
        }
        let failures = StoreFailures(self)
        var (isFirst, isStandby) = (true, false)
        while !Task.isCancelled {
            let worker = OutboxWorker(self, failures)
            do throws(PushError) {
                if try await stored({ try await $0.claim(worker.id) }) {
                    isStandby = false
                    settings.onEvent(.started)
                    condition.withLock { $0.isWorking = true }
                    defer { condition.withLock { $0.isWorking = false } }
                    try await run(worker, untilIdle: untilIdle)
                    if let failure = worker.failure { throw failure }
                    // A worker that lost its claim starts anew.
                    guard worker.isLost else { return }
                    isFirst = false
                    continue
                }
                guard !untilIdle else {
                    throw PushError(.busy, "another process works on this store", retry: .backoff)
                }
                failures.noteSuccess()
                if !isStandby { settings.onEvent(.standsBy) }
                isStandby = true
            } catch {
                guard !isFirst, !untilIdle, error.kind != .stopped else { throw error }
                failures.note(error)
            }
            isFirst = false
            do { try await clock.sleep(for: failures.pause) } catch { return }
        }
    }

    private func run(_ worker: OutboxWorker, untilIdle: Bool) async throws(PushError) {
        // Not a child task: cancelling `run` must not cancel the requests in flight.
        let work = Task { () async -> PushError? in
            do throws(PushError) { try await worker.work(untilIdle: untilIdle) } catch { return error }
            return nil
        }
        let drain = Task {
            for await _ in worker.untilStop {}
            try? await clock.expire(after: settings.drain)
            work.cancel()
        }
        let end = Locked<Task<Void, Never>?>(nil)
        let failure = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            worker.stop()
            let waiting = Task {
                try? await clock.expire(after: settings.drain)
                worker.giveUp()
            }
            end.withLock { $0 = waiting }
        }
        for timer in [drain, end.withLock { $0 }] { timer?.cancel() }
        do throws(PushError) { try await stored { try await $0.release(worker.id) } } catch {
            worker.noteFailure(error)
        }
        if let failure { throw failure }
    }
}
