import FoundationEssentials
import PushCore

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

    /// Of one device: operators 1 to 6 take the first token, 1 and 2 the first tag.
    private func changeOne(_ number: Int, _ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) {
        let token = try known(try fields.needTexts("token_list"), app)[0]
        var tags: [String] = []
        if number != 5 {
            tags = try check(tags: try fields.needTexts("tag_list"))
            guard tags.count <= Rules.tagsPerCall else { throw .invalid("tag_list") }
        }
        switch number {
        case 1: try add([tags[0]], to: token, &app)
        case 2: app.devices[token]?.tags.remove(tags[0])
        case 3: try add(tags, to: token, &app)
        case 4: app.devices[token]?.tags.subtract(tags)
        case 5: later(&app, now) { $0.devices[token]?.tags = [] }
        default:
            let list = tags
            let keepsOthers = list.allSatisfy { $0.contains(":") }
            let limit = settings.tagsPerDevice
            later(&app, now) { app in
                var kept: Set<String> = []
                if keepsOthers {
                    let categories = Set(list.compactMap(Self.category))
                    kept = (app.devices[token]?.tags ?? []).filter { tag in
                        Self.category(of: tag).map { !categories.contains($0) } ?? true
                    }
                }
                let all = kept.union(list)
                if all.count <= limit { app.devices[token]?.tags = all }
            }
        }
    }

    /// The text before the first colon; nil without one.
    private static func category(of tag: String) -> Substring? {
        tag.contains(":") ? tag.prefix { $0 != ":" } : nil
    }

    /// Operators 7 and 8: one tag, many devices.
    private func changeMany(_ number: Int, _ fields: Fields, _ app: inout AppState) throws(Refusal) {
        let tokens = try known(try fields.needTexts("token_list"), app)
        let tag = try check(tags: try fields.needTexts("tag_list"))[0]
        for token in tokens {
            if number == 7 { try add([tag], to: token, &app) } else { app.devices[token]?.tags.remove(tag) }
        }
    }

    /// Operators 9 and 10.
    private func changePairs(_ number: Int, _ fields: Fields, _ app: inout AppState) throws(Refusal) {
        let pairs = try fields.needObjects("tag_token_list")
        guard pairs.count <= settings.pairsPerCall else { throw .invalid("tag_token_list") }
        var checked: [(tag: String, token: String)] = []
        for pair in pairs {
            let tag = try check(tags: [try pair.needText("tag")])[0]
            if let token = try known([try pair.needText("token")], app, isOnly: false).first {
                checked.append((tag, token))
            }
        }
        for (tag, token) in checked {
            if number == 9 { try add([tag], to: token, &app) } else { app.devices[token]?.tags.remove(tag) }
        }
    }

    /// Takes tags off every device.
    func deleteTags(_ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) -> Answer {
        let tags = try check(tags: try fields.needTexts("tag_list"))
        guard tags.count <= Rules.tagsPerDeletion else { throw .invalid("tag_list") }
        later(&app, now) { app in
            for id in app.devices.keys { app.devices[id]?.tags.subtract(tags) }
        }
        return Answer(message: "", fields: ["result": ""])
    }

    private func add(_ tags: [String], to token: String, _ app: inout AppState) throws(Refusal) {
        let all = (app.devices[token]?.tags ?? []).union(tags)
        guard all.count <= settings.tagsPerDevice else { throw .invalid("tag_list") }
        let new = all.subtracting(app.tags)
        guard new.isEmpty || app.tags.count + new.count <= settings.tagsPerApp else { throw .invalid("tag_list") }
        app.devices[token]?.tags = all
    }

    private func check(tags: [String]) throws(Refusal) -> [String] {
        guard tags.count <= Rules.listLength else { throw .invalid("tag_list") }
        for tag in tags {
            let isClean = !tag.contains { $0 == " " || $0 == "\t" }
            guard (1...Rules.tagBytes).contains(tag.utf8.count), isClean else { throw .invalid("tag_list") }
        }
        return tags
    }

    /// Tokens that the app has; what becomes of the others is not documented.
    func known(_ tokens: [String], _ app: AppState, isOnly: Bool = true) throws(Refusal) -> [String] {
        guard tokens.count <= Rules.listLength else { throw .invalid("token_list") }
        for token in tokens where !(1...Rules.tokenLength).contains(token.unicodeScalars.count) { throw .notAToken }
        let good = tokens.filter { app.devices[$0] != nil }
        guard good.count == tokens.count || (settings.skipsBadTokens && !(isOnly && good.isEmpty)) else {
            throw .badToken
        }
        return good
    }
}
