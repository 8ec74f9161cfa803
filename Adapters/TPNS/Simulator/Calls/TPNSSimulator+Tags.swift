import FoundationEssentials
import PushAdapter
import PushSimulation

extension TPNSSimulator {
    /// Operators 1 to 10.
    func changeTags(_ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) -> Answer {
        let number = try fields.needNumber("operator_type")
        switch number {
        case 1...6: try changeOne(number, fields, &app, now)
        case 7, 8: try changeMany(number, fields, &app)
        case 9, 10: try changePairs(number, fields, &app)
        default: throw .invalid("operator_type")
        }
        return Answer(message: "")
    }

    /// Changes one device. Operators 1 to 6 use only the first token, 1 and 2 only the first tag.
    private func changeOne(_ number: Int, _ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) {
        let tokens = try short(try fields.needTexts("token_list"), "token_list")
        var tags: [String] = []
        if number != 5 {
            tags = try short(try fields.needTexts("tag_list"), "tag_list")
            if number <= 2 { tags = Array(tags.prefix(1)) }
            guard tags.count <= settings.tagsPerCall else { throw .invalid("tag_list") }
            try check(tags: tags)
        }
        let token = try known(Array(tokens.prefix(1)), app, isOnly: true)[0]
        switch number {
        case 1: try add([tags[0]], to: token, &app)
        case 2: app.devices[token]?.tags.remove(tags[0])
        case 3: try add(tags, to: token, &app)
        case 4: app.devices[token]?.tags.subtract(tags)
        case 5: later(&app, now) { $0.devices[token]?.tags = [] }
        default:
            try checkLimits(Self.kept(by: tags, of: token, app).union(tags), app)
            let (list, limit) = (tags, settings.tagsPerDevice)
            later(&app, now) { app in
                // It clears first. If tags were added meanwhile, there may not be room for all.
                let kept = Self.kept(by: list, of: token, app)
                let room = max(0, limit - kept.count)
                app.devices[token]?.tags = kept.union(list.filter { !kept.contains($0) }.prefix(room))
            }
        }
    }

    /// The tags that operator 6 keeps: none or, if every new tag has a colon, the tags outside the new tags'
    /// categories.
    private static func kept(by list: [String], of token: String, _ app: AppState) -> Set<String> {
        guard list.allSatisfy({ $0.contains(":") }) else { return [] }
        let categories = Set(list.compactMap(category))
        return (app.devices[token]?.tags ?? []).filter { tag in
            category(of: tag).map { !categories.contains($0) } ?? true
        }
    }

    /// The text before the first colon; nil if there is none.
    private static func category(of tag: String) -> Substring? {
        tag.contains(":") ? tag.prefix { $0 != ":" } : nil
    }

    /// Operators 7 and 8: one tag on many devices.
    private func changeMany(_ number: Int, _ fields: Fields, _ app: inout AppState) throws(Refusal) {
        let tokens = try short(try fields.needTexts("token_list"), "token_list")
        let tag = try short(try fields.needTexts("tag_list"), "tag_list")[0]
        try check(tags: [tag])
        for token in try known(tokens, app, isOnly: true) {
            if number == 7 { try add([tag], to: token, &app) } else { app.devices[token]?.tags.remove(tag) }
        }
    }

    /// Operators 9 and 10.
    private func changePairs(_ number: Int, _ fields: Fields, _ app: inout AppState) throws(Refusal) {
        let pairs = try fields.needObjects("tag_token_list")
        guard pairs.count <= settings.pairsPerCall else { throw .invalid("tag_token_list") }
        var named: [(tag: String, token: String)] = []
        for pair in pairs { named.append((try pair.needText("tag"), try pair.needText("token"))) }
        try check(tags: named.map(\.tag))
        let good = Set(try known(named.map(\.token), app, isOnly: false))
        for (tag, token) in named where good.contains(token) {
            if number == 9 { try add([tag], to: token, &app) } else { app.devices[token]?.tags.remove(tag) }
        }
    }

    /// Removes tags from every device.
    func deleteTags(_ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) -> Answer {
        let tags = try fields.needTexts("tag_list")
        guard tags.count <= Rules.tagsPerDeletion else { throw .invalid("tag_list") }
        try check(tags: tags)
        later(&app, now) { app in
            for id in app.devices.keys { app.devices[id]?.tags.subtract(tags) }
        }
        return Answer(message: "", fields: ["result": ""])
    }

    private func add(_ tags: [String], to token: String, _ app: inout AppState) throws(Refusal) {
        let all = (app.devices[token]?.tags ?? []).union(tags)
        try checkLimits(all, app)
        app.devices[token]?.tags = all
    }

    /// Refuses too many tags on a device, and too many different tags in the app.
    private func checkLimits(_ tags: Set<String>, _ app: AppState) throws(Refusal) {
        guard tags.count <= settings.tagsPerDevice else { throw .invalid("tag_list") }
        let known = app.tags
        let new = tags.subtracting(known).count
        guard new == 0 || known.count + new <= settings.tagsPerApp else { throw .invalid("tag_list") }
    }

    private func short(_ list: [String], _ name: String) throws(Refusal) -> [String] {
        guard list.count <= Rules.listLength else { throw .invalid(name) }
        return list
    }

    private func check(tags: [String]) throws(Refusal) {
        for tag in tags {
            let isClean = !tag.contains { $0 == " " || $0 == "\t" }
            guard (1...Rules.tagBytes).contains(tag.utf8.count), isClean else { throw .invalid("tag_list") }
        }
    }

    /// The tokens that the app knows. The result for the others is not documented.
    func known(_ tokens: [String], _ app: AppState, isOnly: Bool) throws(Refusal) -> [String] {
        for token in tokens where !(1...Rules.tokenLength).contains(token.unicodeScalars.count) { throw .notAToken }
        let good = tokens.filter { app.devices[$0] != nil }
        guard good.count == tokens.count || (settings.skipsBadTokens && !(isOnly && good.isEmpty)) else {
            throw .badToken
        }
        return good
    }
}
