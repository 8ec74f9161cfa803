import PushCore

/// Lets calls on one subject run one after the other, in the order they came.
actor SubjectLocks {
    private var waiting: [Subject: [CheckedContinuation<Void, Never>]] = [:]

    /// Returns when the subject is free; `unlock` must follow.
    func lock(_ subject: Subject) async {
        guard waiting[subject] != nil else {
            waiting[subject] = []
            return
        }
        await withCheckedContinuation { waiting[subject]?.append($0) }
    }

    func unlock(_ subject: Subject) {
        guard var queue = waiting[subject], !queue.isEmpty else {
            waiting[subject] = nil
            return
        }
        let next = queue.removeFirst()
        waiting[subject] = queue
        next.resume()
    }
}
