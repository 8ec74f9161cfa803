import FoundationEssentials
import PushAdapter
import PushSimulation

extension TPNSSimulator {
    private struct Named {
        var name: String
        var type: Int
    }

    /// Operators 1 to 5. They take effect later. Each element has its own code, in order.
    func changeAccounts(_ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) -> Answer {
        switch try fields.needNumber("operator_type") {
        case 1, 2: return try changeBindings(fields, &app, now, binds: true)
        case 3: return try changeBindings(fields, &app, now, binds: false)
        case 4:
            let tokens = try batch(try fields.needTexts("token_list"), "token_list")
            let results = tokens.map { app.devices[$0] == nil ? Refusal.badToken.code : 0 }
            later(&app, now) { app in
                for token in tokens { app.devices[token]?.accounts = [:] }
            }
            return Self.answer(results)
        case 5:
            let accounts = try accounts(try batch(try fields.needObjects("account_list"), "account_list"))
            later(&app, now) { app in
                for account in accounts {
                    for token in app.holders(of: account.name, account.type) {
                        app.devices[token]?.accounts[account.type] = nil
                    }
                }
            }
            return Self.answer(accounts.map { _ in 0 })
        default: throw .invalid("operator_type")
        }
    }

    private func changeBindings(
        _ fields: Fields, _ app: inout AppState, _ now: Date, binds: Bool
    ) throws(Refusal) -> Answer {
        let elements = try batch(try fields.needObjects("token_accounts"), "token_accounts", Rules.tokensPerBatch)
        var results: [Int] = []
        for element in elements {
            let token = try element.needText("token")
            let accounts = try accounts(try element.needObjects("account_list"))
            guard app.devices[token] != nil else {
                results.append(Refusal.badToken.code)
                continue
            }
            results.append(0)
            let clearsOthers = settings.bindingClearsOtherTypes
            later(&app, now) { app in
                if binds {
                    for (index, account) in accounts.enumerated() {
                        app.bind(
                            account.name, account.type, to: token, clearsOthers: clearsOthers && index == 0)
                    }
                } else {
                    for account in accounts where app.devices[token]?.accounts[account.type]?.account == account.name {
                        app.devices[token]?.accounts[account.type] = nil
                    }
                }
            }
        }
        return Self.answer(results)
    }

    /// Tokens by account, or accounts by token. The response is immediate.
    func queryAccounts(_ fields: Fields, _ app: AppState) throws(Refusal) -> Answer {
        switch try fields.needNumber("operator_type") {
        case 1:
            let accounts = try accounts(try batch(try fields.needObjects("account_list"), "account_list"))
            let rows = accounts.map { ($0.name, app.holders(of: $0.name)) }
            return try answer(rows, "account_tokens") { name, tokens in
                ["account": .string(name), "token_list": .array(tokens.map(JSONValue.string))]
            }
        case 2:
            let tokens = try batch(try fields.needTexts("token_list"), "token_list")
            let rows = tokens.map { token in
                (token, (app.devices[token]?.accounts ?? [:]).sorted { $0.key < $1.key }.map(\.value.account))
            }
            return try answer(rows, "token_accounts") { token, names in
                ["token": .string(token), "account_list": .array(names.map { ["account": .string($0)] })]
            }
        default: throw .invalid("operator_type")
        }
    }

    /// Returns the rows that are not empty. Empty rows get a code.
    private func answer(
        _ rows: [(String, [String])], _ name: String, _ row: (String, [String]) -> JSONValue
    ) throws(Refusal) -> Answer {
        let isUnknown = rows.allSatisfy(\.1.isEmpty)
        if isUnknown, !settings.namesUnknownElements { throw .unknownTarget }
        var answer = Self.answer(rows.map { $0.1.isEmpty ? Refusal.unknownTarget.code : 0 })
        answer.fields[name] = .array(rows.filter { !$0.1.isEmpty }.map { row($0.0, $0.1) })
        return answer
    }

    /// The codes are texts.
    private static func answer(_ results: [Int]) -> Answer {
        let failed = results.count { $0 != 0 }
        var answer = Answer(fields: ["result": .array(results.map { .string(String($0)) })])
        if failed > 0 {
            answer.code = failed == results.count ? 1_008_027 : 1_008_026
            answer.message = failed == results.count ? "batch op, total error" : "batch op, partly error"
        }
        return answer
    }

    private func batch<Element>(
        _ elements: [Element], _ name: String, _ most: Int? = nil
    ) throws(Refusal) -> [Element] {
        guard elements.count <= most ?? settings.elementsPerBatch else { throw .invalid(name) }
        return elements
    }

    private func accounts(_ elements: [Fields]) throws(Refusal) -> [Named] {
        var accounts: [Named] = []
        for element in elements {
            accounts.append(
                Named(name: try element.needText("account"), type: try element.number("account_type") ?? 0))
        }
        return accounts
    }
}
