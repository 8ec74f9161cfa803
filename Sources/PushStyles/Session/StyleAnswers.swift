import PushAdapter

/// Collects the answers to one question, and passes them on when every delegate that was asked has answered.
final class StyleAnswers<Answer: Sendable>: Sendable {
    /// Asks one delegate, which answers with the handler.
    typealias Question = (@escaping @Sendable (Answer) -> Void) -> Void

    private struct State: Sendable {
        var missing: Int
        var answers: [Answer] = []
    }

    private let state: Locked<State>
    private let whenComplete: @Sendable ([Answer]) -> Void

    private init(_ count: Int, _ whenComplete: @escaping @Sendable ([Answer]) -> Void) {
        state = Locked(State(missing: count))
        self.whenComplete = whenComplete
    }

    /// Asks each delegate, with a handler that counts once. Without a delegate to ask, the answers are complete at
    /// once.
    static func collect(
        _ possible: [Question?], whenComplete: @escaping @Sendable ([Answer]) -> Void
    ) {
        let questions = possible.compactMap(\.self)
        guard !questions.isEmpty else { return whenComplete([]) }
        let answers = StyleAnswers(questions.count, whenComplete)
        for question in questions { question(answers.handler()) }
    }

    private func handler() -> @Sendable (Answer) -> Void {
        let isUsed = Locked(false)
        return { [self] answer in
            let isFirst = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return !isUsed
            }
            if isFirst { take(answer) }
        }
    }

    private func take(_ answer: Answer) {
        let complete: [Answer]? = state.withLock { state in
            state.answers.append(answer)
            state.missing -= 1
            return state.missing == 0 ? state.answers : nil
        }
        if let complete { whenComplete(complete) }
    }
}
