public import FoundationEssentials
public import HTTPTypes

/// A token that signs requests for some time, made in this process or fetched from the vendor.
public struct AccessToken: Sendable, Equatable {
    /// The token that the authorizer puts into a request.
    public let value: Secret
    /// When it was made.
    public let mintedAt: Date
    /// When the vendor stops accepting it.
    public let expiresAt: Date
    /// The header field `Authorization: Bearer ...` (RFC 6750), made once for all requests.
    public let bearer: HTTPFields
    /// Distinguishes connections with this token from those with another token of the same key.
    package let connectionName: String

    /// A token with the dates at which it was made and expires.
    /// - Parameters:
    ///   - value: the token.
    ///   - mintedAt: when it was made.
    ///   - expiresAt: when the vendor stops accepting it.
    ///   - scheme: the first word of the header field, for a vendor that writes it in another case.
    public init(_ value: Secret, mintedAt: Date, expiresAt: Date, scheme: String = "Bearer") {
        self.value = value
        self.mintedAt = mintedAt
        self.expiresAt = expiresAt
        let text = value.withBytes { Secret(Array("\(scheme) ".utf8) + Array($0)) }
        bearer = HTTPFields([text.field(.authorization)])
        connectionName = "\(mintedAt.timeIntervalSince1970)"
    }
}

extension AccessToken: CustomReflectable {
    /// The times, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["mintedAt": mintedAt, "expiresAt": expiresAt]) }
}

/// How a vendor's access tokens are made, for a vendor whose requests are signed with one.
///
/// The client keeps a token for each scope and shares it among all calls. It renews the token before it expires, and
/// once more when the vendor refuses it with `PushError.Retry.afterRenewal`. Of the scopes
/// ``CredentialScope/origin(_:key:)`` it keeps the 1,024 that it used last, so it may mint for one again at any time.
public struct TokenMinting: Sendable {
    /// A token, or the request that gets one.
    public enum Mint: Sendable {
        /// The adapter made it, without a request.
        case made(AccessToken)
        /// The vendor makes it; the request's scope is ``CredentialScope/none``.
        case fetched(by: Exchange<AccessToken>)
    }

    /// How long before its expiry the client renews a token; at most half its life.
    public var renewalMargin: Duration
    /// The least age at which the client renews or replaces a token. It replaces an expired token at any age.
    public var minimumInterval: Duration
    /// Makes a token, or the request for one. It may sign, which is random for some algorithms; it has no other
    /// effects.
    public var mint: @Sendable (CredentialScope, Date) throws(PushError) -> Mint

    /// Tokens that are renewed this long before they expire, or after a refusal, but no more often than this.
    public init(
        renewalMargin: Duration, minimumInterval: Duration = .zero,
        mint: @escaping @Sendable (CredentialScope, Date) throws(PushError) -> Mint
    ) {
        self.renewalMargin = renewalMargin
        self.minimumInterval = minimumInterval
        self.mint = mint
    }
}
