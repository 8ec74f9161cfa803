/// A reason for which a push service may refuse a request.
public enum WebPushFault: Sendable, Hashable, CaseIterable {
    /// The path belongs to no subscription that the service ever gave out.
    case unknownPath
    /// The method is not POST.
    case method
    /// The body comes in chunks, without a length.
    case chunked

    // Who sends.

    /// There is no `Authorization`.
    case noAuthorization
    /// The scheme is another one, or `t` is missing.
    case badScheme
    /// `k` is missing, or is no point on P-256.
    case badKey
    /// The token has another form or algorithm, or another key signed it.
    case badToken
    /// `aud` is not the origin of the service.
    case badAudience
    /// `exp` is over or missing.
    case expired
    /// `exp` is too far away.
    case longLife
    /// `sub` is missing, or names no contact that can be real.
    case badSubject
    /// The key signed another token too recently.
    case renewedTooSoon
    /// The browser subscribed with another key.
    case foreignKey

    // To whom.

    /// The subscription ended.
    case gone
    /// The subscription is so young that the service denies it.
    case fresh
    /// The browser did not connect for too long.
    case stale
    /// Too many pushes to the subscription.
    case rate

    // What.

    /// The body is too long.
    case tooLarge
    /// `TTL` is missing, or is no whole number.
    case noTTL
    /// `TTL` is negative.
    case negativeTTL
    /// `TTL` is 0, without the service's own header that allows it.
    case zeroTTL
    /// `Topic` is too long, or has other characters.
    case badTopic
    /// `Urgency` is given twice.
    case doubledUrgency
    /// `Urgency` has an unknown value.
    case badUrgency
    /// A body has no `Content-Encoding`, or an unknown one.
    case badEncoding
    /// `aes128gcm` comes with the header fields of an older encoding.
    case mixedEncodings
    /// The header of the encrypted body is wrong.
    case badBody
    /// The key of the encryption is the key that signs.
    case sharedKey
}

/// A step of a service's checks. Each service has its order.
public enum WebPushCheck: Sendable, Hashable, CaseIterable {
    /// Method and chunks. The path is found before every step.
    case frame
    /// The token, its key and its claims.
    case credentials
    /// Whether the browser subscribed with the key of the token.
    case serverKey
    /// Whether the subscription lives.
    case subscription
    /// Pushes in a time.
    case rate
    /// The length of the body.
    case size
    /// `TTL`.
    case ttl
    /// `Content-Encoding`, and the header of the encrypted body.
    case encoding
    /// `Topic`.
    case topic
    /// `Urgency`.
    case urgency
}
