public import Foundation
public import PushAdapter
public import PushDevice

/// The error of a call: a number as the device SDKs have it, and the error behind it.
///
/// Old code that reads an `NSError` finds the number in `errorCode` and a sentence under `NSLocalizedDescriptionKey`;
/// ``nsError`` is such an object. On Linux, no Swift error becomes one with `as NSError`.
public struct ResultError: Error, Sendable, CustomStringConvertible {
    /// One of ``ResultCodes``; never 0.
    public var code: Int
    /// The failure, whether the vendor acted, and whether to retry.
    public var error: PushError

    init(code: Int, error: PushError) {
        self.code = code
        self.error = error
    }

    /// The error that a code of ``ResultCodes`` means for a call; nil for 0, a success.
    public init?(code: Int, of call: SessionCall.Kind? = nil) {
        guard let error = ResultCodes.error(for: code, of: call) else { return nil }
        self.init(code: code, error: error)
    }

    /// The same error again, from the error that a delegate or a completion got: a `ResultError`, or its ``nsError``.
    /// Nil for any other error.
    public init?(_ error: any Error) {
        if let result = error as? ResultError {
            self = result
            return
        }
        guard let error = (error as Any) as? NSError, error.domain == Self.errorDomain else { return nil }
        guard let cause = error.userInfo[NSUnderlyingErrorKey] as? PushError else {
            self.init(code: error.code)
            return
        }
        self.init(code: error.code, error: cause)
    }

    /// The error as Foundation's object, with the number, the sentence and the error behind it.
    public var nsError: NSError {
        var userInfo = errorUserInfo
        userInfo[NSUnderlyingErrorKey] = error
        return NSError(domain: Self.errorDomain, code: code, userInfo: userInfo)
    }

    public var description: String { "\(code): \(error)" }
}

extension ResultError: LocalizedError {
    public var errorDescription: String? { "The call failed with code \(code): \(error.message)." }
}

extension ResultError: CustomNSError {
    public static var errorDomain: String { "PushBridge.SDK" }
    public var errorCode: Int { code }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? description] }
}
