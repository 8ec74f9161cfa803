public import Foundation
public import PushCore

/// The error of a call: a number as the device SDKs have it, and the error behind it.
///
/// Old code that reads an `NSError` finds the number in `errorCode` and a sentence under `NSLocalizedDescriptionKey`.
public struct ResultError: Error, Sendable, CustomStringConvertible {
    /// One of ``ResultCodes``; never 0.
    public var code: Int
    /// What happened, whether the vendor acted, and whether to retry.
    public var error: PushError

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
