import PushAdapter

/// Decides which targets of a list are still attempted at an origin that refuses the credential.
///
/// Each target of Web Push names the server key that signs for it. If a backend stored the wrong one, the service
/// refuses every target for itself, and no refusal is about the whole list. After a hundred refusals in a row of one key
/// at one origin, only every hundredth further target there is attempted, until one is accepted. Other keys and origins
/// go on, so no stranger's server can stop a list.
final class CredentialHalt: Sendable {
    private static let most = 100

    private struct Row {
        var refusals = 0
        var skipped = 0
        let error: PushError
    }

    private struct State {
        /// Only keys at origins that refused since they last accepted.
        var rows: [CredentialScope: Row] = [:]
        var reason: PushError?
    }

    private let state = Locked(State())

    /// Why some targets were not attempted; nil if all were.
    var reason: PushError? { state.withLock { $0.reason } }

    /// Why a request is not sent; nil if it is.
    func reason(toSkip request: PreparedRequest) -> PushError? {
        guard let scope = request.addressScope else { return nil }
        return state.withLock { state in
            guard let row = state.rows[scope], row.refusals >= Self.most else { return nil }
            state.rows[scope]?.skipped += 1
            guard !(row.skipped + 1).isMultiple(of: Self.most) else { return nil }
            state.reason = state.reason ?? row.error
            return row.error
        }
    }

    /// Counts the outcome of a request; the error is nil if it was accepted.
    func note(_ error: PushError?, of request: PreparedRequest) {
        guard let scope = request.addressScope else { return }
        state.withLock { state in
            guard let error else {
                state.rows[scope] = nil
                return
            }
            guard error.isRefusalOfCredential else { return }
            state.rows[scope, default: Row(error: error.aboutAllTargets)].refusals += 1
        }
    }
}

extension PreparedRequest {
    /// The key and the origin of a request to a target's own address.
    fileprivate var addressScope: CredentialScope? {
        guard case .success(let exchange) = exchange, exchange.request.address != nil else { return nil }
        return exchange.credential
    }
}

extension PushError {
    /// Whether a vendor refused the credential for good, perhaps for this target only.
    fileprivate var isRefusalOfCredential: Bool {
        vendor != nil && effect == .notApplied && retry == .never && kind.subject == .credentials
    }

    /// The same error without a verdict on the target that got it.
    fileprivate var aboutAllTargets: PushError {
        var error = self
        error.vendor?.verdict = nil
        return error
    }
}
