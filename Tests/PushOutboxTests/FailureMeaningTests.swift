import Foundation
import PushAdapter
import PushSimulation
import Testing

@testable import PushClient
@testable import PushOutbox

/// One table of kinds defines the meaning of a failure. These tests spell out, by kind, each decision that is built on
/// it, and compare both in every situation.
@Suite("What a failure means")
struct FailureMeaningTests {
    private static let kinds: [PushError.Kind] = [
        .invalidArgument, .tooLong, .limitExceeded, .unsupported, .invalidState, .notRegistered, .stopped, .busy,
        .rateLimited, .quotaExhausted, .unauthorized, .blocked, .misconfigured, .noTarget, .deviceClock, .server,
        .timeout, .transport, .malformedResponse, .circuitOpen, .cancelled, .unknown, "anAdaptersOwn",
    ]

    /// Every kind with every effect and retry: with and without a vendor response, with a verdict on the target, and
    /// with a failed token request as the cause.
    private static var situations: [PushError] {
        let retries: [PushError.Retry] = [
            .never, .backoff, .after(.seconds(5)), .after(.seconds(5000)), .afterRenewal, .exhausted,
        ]
        var aboutTarget = VendorDetail(code: "1")
        aboutTarget.verdict = .suspect
        let vendors: [VendorDetail?] = [nil, .init(code: "1"), aboutTarget]
        let cause = PushError(.server, "no token")
        return kinds.flatMap { kind in
            retries.flatMap { retry in
                [PushError.Effect.notApplied, .unknown, .applied].flatMap { effect in
                    vendors.flatMap { vendor in
                        [nil, cause].map { underlying in
                            PushError(
                                kind, "test", retry: retry, effect: effect, vendor: vendor, underlying: underlying)
                        }
                    }
                }
            }
        }
    }

    /// Checks that two rules agree on all errors except those of some kinds.
    private func compare(
        _ rule: (PushError) -> Bool, except kinds: Set<PushError.Kind> = [], to other: (PushError) -> Bool
    ) {
        let differences = Set(Self.situations.filter { rule($0) != other($0) }.map(\.kind))
        #expect(differences == kinds)
    }

    private static let refusals: [PushError.Kind] = [.invalidArgument, .tooLong, .limitExceeded, .unsupported]
    private static let settings: [PushError.Kind] = [.unauthorized, .blocked, .misconfigured]

    @Test("a client decides by kind")
    func client() {
        compare(\.isLocalRefusal) { $0.vendor == nil && $0.underlying == nil && Self.refusals.contains($0.kind) }
        let ending = Self.settings + [.unsupported, .quotaExhausted, .stopped, .cancelled]
        compare(\.endsList) { $0.effect == .notApplied && ending.contains($0.kind) && $0.vendor?.verdict == nil }
        let outages: [PushError.Kind] = [.transport, .timeout, .server, .malformedResponse, .rateLimited]
        compare(\.isTokenOutage) { $0.isWithoutProof && $0.retry != .never && outages.contains($0.kind) }
        // A device's refusal is not about the message, and the end of a wait after a throttle is none.
        compare(\.mayBeAboutMessage, except: [.notRegistered, .deviceClock, .cancelled, .stopped]) { error in
            let isAboutAll = error.kind != .noTarget && error.vendor?.verdict == nil
            return error.vendor != nil && error.effect == .notApplied && error.retry == .never && isAboutAll
        }
        let some: [PushError.Kind] = [.noTarget, .limitExceeded, .invalidArgument, .notRegistered]
        compare(\.isAboutSomeTarget, except: [.deviceClock]) {
            $0.effect == .notApplied && $0.vendor?.targets.isEmpty == true && some.contains($0.kind)
        }
    }

    @Test(
        "a message goes on at another vendor by kind",
        arguments: [TargetStatus.notAttempted, .rejected(mayRetry: true), .rejected(mayRetry: false)])
    func failover(status: TargetStatus) {
        let patience = Duration.seconds(60)
        for isSaidByVendor in [false, true] {
            for error in Self.situations {
                let failure = TargetReport.Failure(error)
                let decision = FailoverRule.decide(status, failure, isSaidByVendor: isSaidByVendor, patience: patience)
                #expect(decision == Self.decision(status, failure, isSaidByVendor, patience), "\(error)")
            }
        }
    }

    private static func decision(
        _ status: TargetStatus, _ failure: TargetReport.Failure, _ isSaidByVendor: Bool, _ patience: Duration
    ) -> FailoverRule.Decision {
        switch failure.kind {
        case .transport where failure.retry != .never: return .next
        case .server, .timeout, .malformedResponse: if failure.isWithoutProof { return .next }
        case .blocked, .quotaExhausted, .circuitOpen: return .next
        case .unauthorized, .misconfigured, .cancelled, .stopped: return .settled
        case .rateLimited:
            guard case .after(let time) = failure.retry else { return .settled }
            return time > patience ? .next : .again(after: time)
        default: break
        }
        if status == .rejected(mayRetry: true), failure.retry == .never {
            return isSaidByVendor ? .settled : .withoutNamed
        }
        if status == .rejected(mayRetry: false) { return .next }
        return failure.retry == .never && refusals.contains(failure.kind) ? .next : .settled
    }

    @Test("an outbox decides by kind")
    func outbox() {
        let failure = { (error: PushError) in TargetReport.Failure(error) }
        compare(
            { failure($0).needsPerson },
            to: { $0.vendor?.verdict == nil && Self.settings.contains($0.kind) })
        compare(
            { failure($0).isAboutWholePart },
            to: { $0.vendor?.verdict == nil && (Self.settings + [.quotaExhausted]).contains($0.kind) })
        let unanswered: [PushError.Kind] = [.transport, .timeout, .server, .malformedResponse, .circuitOpen, .busy]
        compare({ $0.kind.subject == .route }, to: { unanswered.contains($0.kind) })
        compare({ $0.kind.subject == .worker }, to: { [.cancelled, .stopped].contains($0.kind) })
        // A JSON order that would fail at every later attempt.
        compare(
            { [.message, .target].contains($0.kind.subject) }, except: [.notRegistered, .deviceClock],
            to: { (Self.refusals + [.noTarget]).contains($0.kind) })
    }

    @Test("a circuit breaker counts what got no answer", arguments: [false, true])
    func circuit(countsServerErrors: Bool) {
        for error in Self.situations where error.effect != .applied {
            let circuit = CircuitBreaker(
                "a", failures: 1, pause: .seconds(1), longestPause: .seconds(1),
                countsServerErrors: countsServerErrors, clock: VirtualClock())
            circuit.note(error, begunAt: .seconds(1))
            let isCounted =
                switch error.kind {
                case .transport: error.retry != .never
                case .timeout: error.effect == .unknown || error.isWithoutProof
                case .server, .malformedResponse: countsServerErrors || error.isWithoutProof
                default: false
                }
            #expect((circuit.rest != nil) == isCounted, "\(error)")
        }
    }

    @Test("the table in the documentation is the table")
    func documented() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let page = try String(contentsOf: root.appending(path: "docs/Architecture.md"), encoding: .utf8)
        #expect(page.contains(PushError.Kind.table), "\(PushError.Kind.table)")
    }
}
