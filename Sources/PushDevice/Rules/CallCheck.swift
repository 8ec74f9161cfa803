import PushAdapter

/// Checks the arguments of a call, in the order of the device SDKs: missing, characters, the length of one text, the
/// count, the bytes.
struct CallCheck {
    let rules: SessionRules

    func check(_ call: SessionCall, as kind: SessionCall.Kind) throws(SessionFault) {
        switch call {
        case .addTags(let tags), .setTags(let tags), .deleteTags(let tags):
            guard let tags, !tags.isEmpty else {
                throw missing(.tags, "no tags given; to remove all tags, use the call that clears them")
            }
            try check(tags, nil, as: kind)
        case .overlay(let tags, let alias):
            guard tags != nil || alias != nil else { throw missing(.tags, "neither tags nor an alias given") }
            try check(tags ?? [], alias, as: kind)
        case .overlayTags(let tags):
            guard let tags else { throw missing(.tags, "no tags given; an empty list clears them") }
            try check(tags, nil, as: kind)
        case .overlayAlias(let alias):
            guard let alias else { throw missing(.alias, "no alias given; an empty one removes it") }
            try check([], alias, as: kind)
        case .validTag(let tag):
            guard let tag, !tag.isEmpty else { throw missing(.tags, "no tag given") }
            try check([tag], nil, as: kind)
        case .setAlias(let alias):
            guard let alias, !alias.isEmpty else { throw missing(.alias, "no alias given") }
            try check([], alias, as: kind)
        case .queryTags(let offset, let limit): try check(offset: offset, limit: limit)
        case .setPhone(let number):
            guard let number else { return }
            if !number.isEmpty { return try check(phone: number) }
            guard rules.phoneForm != .e164 else { throw missing(.phone, "no phone number given") }
        case .upsertAccounts([:]), .deleteAccounts([]):
            throw missing(.accounts, "no account given; to unbind all, use the call that clears them")
        case .upsertAccounts(let accounts):
            if let number = rules.phoneAccountType.flatMap({ accounts[$0] }) {
                try check(.setPhone(number), as: .setPhone)
            }
        case .upsertAttributes(let attributes), .replaceAttributes(let attributes):
            try check(attributes)
        case .deleteAttributes(let names):
            guard !names.isEmpty else { throw missing(.attributes, "no attribute name given") }
            try throwFirst(
                names.sorted().compactMap { refusal(of: $0, .attributeName, .attributes, "an attribute name") })
        case .setBadge(let number):
            guard rules.badges?.contains(number) ?? true else {
                let range = rules.badges.map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""
                throw SessionFault(
                    .outOfRange, about: .badge, .invalidArgument, "a badge of \(number) is outside \(range)")
            }
        case .setLanguage(let language):
            guard let language, !language.isEmpty else { throw missing(.language, "no language given") }
        case .voipToken(let token):
            guard token?.isEmpty == false else { throw missing(.tokens, "no token given") }
        case .liveActivityStart(let attributes, let token):
            guard attributes?.isEmpty == false else { throw missing(.tokens, "no attributes type given") }
            guard token?.isEmpty == false else { throw missing(.tokens, "no token given") }
        case .liveActivityUpdate(let id, let token):
            guard let id, !id.isEmpty else { throw missing(.tokens, "no Live Activity id given") }
            guard token?.isEmpty != true else {
                throw missing(.tokens, "the token is empty; pass nil if the Live Activity has ended")
            }
            if let most = rules.activityBytes, id.utf8.count > most {
                throw SessionFault(
                    .tooLong, about: .tokens, .tooLong,
                    "the Live Activity id has \(id.utf8.count) bytes; at most \(most) are allowed")
            }
        case .cleanTags, .getAllTags, .deleteAlias, .getAlias, .deleteAccounts, .clearAccounts, .clearAttributes:
            return
        }
    }

    /// The valid tags, in the given order, up to the limit of one call.
    func valid(_ tags: [String]) -> [String] {
        let most = rules.limits[.tagsPerCall]?.maximum ?? .max
        var seen: Set<Tag> = []
        var valid: [String] = []
        for tag in tags where valid.count < most && refusal(of: tag, .tagLength, .tags, "a tag") == nil {
            if seen.insert(Tag(tag)).inserted { valid.append(tag) }
        }
        return valid
    }

    // MARK: Tags and aliases

    private func check(_ tags: [String], _ alias: String?, as kind: SessionCall.Kind) throws(SessionFault) {
        let alias = alias?.isEmpty == true ? nil : alias
        try throwFirst(
            tags.compactMap { refusal(of: $0, .tagLength, .tags, "a tag") }
                + [alias.flatMap { refusal(of: $0, .aliasLength, .alias, "an alias") }].compactMap(\.self))
        let distinct = Set(tags.map { Tag($0) })
        if let bound = rules.limits[.tagsPerCall], distinct.count > bound.maximum {
            throw SessionFault(
                .tooMany, about: .tags, .limitExceeded,
                "the call has \(distinct.count) tags; at most \(bound.maximum) are allowed")
        }
        let bytes =
            distinct.reduce(0) { $0 + $1.rawValue.utf8.count } + (rules.countsAliasBytes ? alias?.utf8.count ?? 0 : 0)
        guard let most = rules.bytes[kind], bytes > most else { return }
        throw SessionFault(
            .tooManyBytes, about: .tags, .tooLong,
            "the tags of the call have \(bytes) bytes; at most \(most) are allowed")
    }

    private func check(offset: Int, limit: Int) throws(SessionFault) {
        guard offset >= 0, limit > 0 else {
            throw SessionFault(
                .outOfRange, about: .query, .invalidArgument, "the offset must be at least 0 and the limit at least 1")
        }
        guard let most = rules.largestPage, limit > most else { return }
        throw SessionFault(
            .outOfRange, about: .query, .invalidArgument, "a query for \(limit) tags; at most \(most) are allowed")
    }

    // MARK: Others

    private func check(_ attributes: [String: String]) throws(SessionFault) {
        guard !attributes.isEmpty else {
            throw missing(.attributes, "no attribute given; to remove all, use the call that clears them")
        }
        let sorted = attributes.sorted { $0.key < $1.key }
        try throwFirst(
            sorted.compactMap { refusal(of: $0.key, .attributeName, .attributes, "an attribute name") }
                + sorted.compactMap {
                    $0.value.isEmpty ? nil : refusal(of: $0.value, .attributeValue, .attributes, "an attribute value")
                })
    }

    private func check(phone: String) throws(SessionFault) {
        let scalars = Array(phone.unicodeScalars)
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        let rest = scalars.dropFirst()
        let isForm =
            switch rules.phoneForm {
            case .digitsAndHyphens:
                (scalars[0] == "+" || isDigit(scalars[0])) && rest.allSatisfy { $0 == "-" || isDigit($0) }
            case .e164: scalars[0] == "+" && !rest.isEmpty && rest.allSatisfy(isDigit)
            }
        guard isForm else {
            let form =
                rules.phoneForm == .e164
                ? "+ and digits, country code first" : "+ or a digit, then digits and hyphens"
            throw SessionFault(.characters, about: .phone, .invalidArgument, "a phone number must be \(form)")
        }
        guard let bound = rules.limits[.phoneLength], scalars.count > bound.maximum else { return }
        throw SessionFault(
            .tooLong, about: .phone, .tooLong,
            "the phone number has \(scalars.count) characters; at most \(bound.maximum) are allowed")
    }

    /// Why a text is refused; characters are checked before the length.
    private func refusal(
        of text: String, _ limit: LimitKey, _ subject: SessionSubject, _ name: String
    ) -> SessionFault? {
        guard !text.isEmpty else {
            return SessionFault(.characters, about: subject, .invalidArgument, "\(name) is empty")
        }
        if let letters = rules.limits[charactersOf: limit], letters.firstRefused(in: text) != nil {
            return SessionFault(
                .characters, about: subject, .invalidArgument,
                "\(name) has a character that is not allowed; allowed: \(letters.summary)")
        }
        guard let bound = rules.limits[limit] else { return nil }
        let length = bound.unit == .characters ? text.utf16.count : text.utf8.count
        guard length > bound.maximum else { return nil }
        return SessionFault(
            .tooLong, about: subject, .tooLong,
            "\(name) has \(length) \(bound.unit == .characters ? "characters" : "bytes"); at most \(bound.maximum) are allowed"
        )
    }

    /// Throws the first fault; a wrong character in any text takes precedence over a wrong length.
    private func throwFirst(_ faults: [SessionFault]) throws(SessionFault) {
        if let fault = faults.first(where: { $0.reason == .characters }) ?? faults.first { throw fault }
    }

    private func missing(_ subject: SessionSubject, _ message: String) -> SessionFault {
        SessionFault(.missing, about: subject, .invalidArgument, message)
    }
}
