import Glibc
import PushBridge

/// How a command ends when it fails.
enum Failure {
    /// The documented exit status of an error.
    static func status(of error: PushError) -> Int32 {
        switch (error.effect, error.kind) {
        case (.unknown, _), (.applied, _): 3
        case (.notApplied, _) where error.vendor != nil: 2
        case (.notApplied, .misconfigured): 78
        case (.notApplied, .invalidArgument), (.notApplied, .tooLong), (.notApplied, .limitExceeded): 64
        case (.notApplied, _): 2
        }
    }

    /// Prints the error, for people on standard error or for programs on standard output, and ends the process.
    static func report(_ error: PushError, asJSON: Bool) -> Never {
        if asJSON {
            Output.print(["error": json(error)])
        } else {
            Output.complain("error: \(text(of: error))")
            if let report = error.report, !report.exceptions.isEmpty {
                Output.complain(Tables.exceptions(report.exceptions))
            }
        }
        exit(status(of: error))
    }

    /// An error in the input prints only its message; other errors add facts about the request.
    private static func text(of error: PushError) -> String {
        switch status(of: error) {
        case 64, 78: error.message
        default: error.description
        }
    }

    static func json(_ error: PushError) -> JSONValue {
        var fields: [String: JSONValue] = [
            "kind": .string(error.kind.rawValue), "message": .string(error.message),
            "effect": .string(error.effect.rawValue), "mayRetry": .bool(error.retry.isAdvised),
        ]
        fields["operation"] = error.operation.map { .string($0.rawValue) }
        fields["vendorCode"] = error.vendor?.code.map(\.json)
        fields["vendorMessage"] = error.vendor?.message.map(JSONValue.string)
        fields["httpStatus"] = error.vendor?.httpStatus.map { JSONValue(integerLiteral: $0) }
        fields["report"] = error.report.map { Tables.json($0) }
        return .object(fields)
    }
}
