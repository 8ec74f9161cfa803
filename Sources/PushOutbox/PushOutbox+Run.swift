public import PushAdapter

extension PushOutbox {
    /// Carries out campaigns until the task is cancelled, then drains: leases nothing, lets requests on their way end
    /// (`settings.drain`), and returns. Shut the clients down after that.
    ///
    /// While another process works on a store that has one worker, it waits as a standby, and takes over when that ends,
    /// however that ends. Refuses an outbox without routes with `misconfigured`. Throws if the store cannot be read at the
    /// start; later failures of the store are events, and it goes on, but not with a store that was closed or whose file was moved:
    /// that is `stopped`.
    public func run() async throws(PushError) { try await run(untilIdle: false) }

    /// Carries out what can be sent now, and returns when nothing is left that can; what waits for a later time stays. Waits for
    /// workers that seem to have ended, on PostgreSQL at most for two lives, and takes over what they had; and for a store that
    /// fails, if it knows what a vendor said and has not written it down. Refuses with `busy` while another process works on
    /// a store that has one worker.
    public func runUntilIdle() async throws(PushError) { try await run(untilIdle: true) }

    private func run(untilIdle: Bool) async throws(PushError) {
        guard !routes.isEmpty else {
            throw PushError(.misconfigured, "the outbox has no routes; give it at least one client by name")
        }
        var (isFirst, isStandby) = (true, false)
        while !Task.isCancelled {
            let worker = OutboxWorker(self)
            do throws(PushError) {
                if try await stored({ try await $0.claim(worker.id) }) {
                    isStandby = false
                    settings.onEvent(.started)
                    try await run(worker, untilIdle: untilIdle)
                    if let failure = worker.failure { throw failure }
                    // One that the store counted as gone begins anew.
                    guard worker.isLost else { return }
                    isFirst = false
                    continue
                }
                guard !untilIdle else {
                    throw PushError(.busy, "another process works on this store", retry: .backoff)
                }
                if !isStandby { settings.onEvent(.standsBy) }
                isStandby = true
            } catch {
                guard !isFirst, !untilIdle, error.kind != .stopped else { throw error }
                worker.noteFailure(error)
            }
            isFirst = false
            do { try await clock.sleep(for: worker.pause) } catch { return }
        }
    }

    private func run(_ worker: OutboxWorker, untilIdle: Bool) async throws(PushError) {
        // Not a child: its requests end before it does.
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
