import FoundationEssentials
import PushAdapter

/// Idempotency keys that the client makes. They are as good as a vendor's keys as long as no other caller makes the same
/// ones.
extension PushClient {
    /// The one key of all requests of a send, where the vendor wants that; nil elsewhere. Its life begins with the send,
    /// because any of the requests may be the first.
    func messageKey(_ options: SendOptions) -> IdempotencyKey? {
        guard let memory = capabilities.callerKeys[.push], memory.scope == .message else { return nil }
        return callerKey(.push, memory, options.key, options.keyFirstUsedAt)
    }

    /// The key of a request to an audience, if it is not a random one.
    func ownKey(_ options: SendOptions, _ audience: Audience) -> IdempotencyKey? {
        if let key = options.messageKey { return key }
        guard let name = options.key, let memory = capabilities.callerKeys[.push] else { return nil }
        return callerKey(.push, memory, SendName(text: name).key(for: audience), options.keyFirstUsedAt)
    }

    /// A key for one request or message; without a name, a random one.
    ///
    /// The last attempt must arrive before the vendor forgets the key, so the key expires a tenth earlier.
    func callerKey(
        _ kind: KeyedRequest, _ memory: KeyMemory, _ name: String? = nil, _ firstUsedAt: Date? = nil
    ) -> IdempotencyKey {
        let now = configuration.clock.date
        let text = name ?? SendContext(at: now, key: nil, id: messageIDs.next()).id
        var key = IdempotencyKey(
            hasShortKeys ? keyText(text) : text, kind: kind, mintedAt: now,
            expiresAt: (firstUsedAt ?? now).addingTimeInterval(memory.duration.seconds * 0.9),
            firstUsedAt: firstUsedAt)
        key.grade = memory.grade
        return key
    }

    /// Whether the vendor has no room for the client's own keys. Keys are then digests.
    var hasShortKeys: Bool { (limits[.idempotencyKey]?.maximum ?? SendName.randomLength) < SendName.randomLength }

    /// A text as a key: itself if the vendor takes it, else a digest of as many letters and digits as the vendor takes,
    /// at most 21. The same text always gives the same key.
    package func keyText(_ text: String) -> String {
        do throws(PushError) {
            try limits.check(.text(text, .idempotencyKey, "the key of the send"), of: provider.id)
            return text
        } catch {
            return SendName.digest(of: text, length: limits[.idempotencyKey]?.maximum ?? .max)
        }
    }

    /// Refuses a name for the send if the vendor accepts none, and a name that leaves no room for the key's suffix. Where
    /// keys are digests, a name may be as long as any text.
    func check(_ options: SendOptions) throws(PushError) {
        guard let name = options.key else {
            guard options.keyFirstUsedAt == nil else {
                throw PushError(.invalidArgument, "keyFirstUsedAt is about a key; give the key too", operation: .send)
            }
            return
        }
        guard let memory = capabilities.callerKeys[.push] else {
            throw PushError(
                .unsupported, "\(provider.id) accepts no caller-made idempotency keys; leave key out",
                operation: .send)
        }
        let limits = hasShortKeys ? Limits() : limits
        try limits.check(.text(name, .idempotencyKey, "the key of the send"), of: provider.id)
        guard memory.scope == .request else { return }
        let example = SendName(text: name).key(for: .everyone)
        do throws(PushError) {
            try limits.check(.text(example, .idempotencyKey, "the key of the send"), of: provider.id)
        } catch {
            var error = error
            error.message += "; the client adds \(SendName.suffixLength) of them to yours for each request"
            throw error
        }
    }
}
