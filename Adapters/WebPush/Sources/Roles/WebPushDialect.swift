import PushAdapter

/// A form in which push services write their errors. Its text is the surface of its rows in the table.
enum WebPushDialect: String, Sendable, Hashable, CaseIterable {
    /// `{"code": 401, "errno": 109, "message": "…"}`.
    case autopush
    /// Plain text, without a code.
    case fcm = "fcm-web"
    /// `{"reason": "BadJwtToken"}`.
    case apple = "apple-web"
    /// Header fields.
    case wns = "wns-web"
    /// `{"code": 42901, "http": 429, "error": "…"}`.
    case ntfy = "unifiedpush-ntfy"

    /// The rows for texts of an autopush error, which all have one number.
    static let autopushTexts = "autopush-message"
    /// The rows for a status by itself.
    static let statuses = "status-default"

    /// The code and the text of an error.
    struct Reading {
        var surface: String
        /// Nil for a text that has none.
        var code: VendorCode?
        var message: String?

        /// The row of the code; nil for a code that the table does not have.
        var row: VendorErrorRow? { code.flatMap { WebPushErrors.rows.row($0, on: surface) } }
    }

    /// The code and the text of a response in this form; nil if it is in another, or says nothing.
    func reading(of response: WireResponse) -> Reading? {
        switch self {
        case .autopush: autopush(try? response.json())
        case .fcm: text(String(decoding: response.body.prefix(4096), as: UTF8.self))
        case .apple:
            (try? response.json())?["reason"]?.stringValue.map { Reading(surface: rawValue, code: VendorCode($0)) }
        case .wns: headers(of: response)
        case .ntfy: ntfy(try? response.json())
        }
    }

    private func autopush(_ reply: JSONValue?) -> Reading? {
        guard let number = reply?["errno"]?.intValue else { return nil }
        let message = reply?["message"]?.stringValue
        let row = message.flatMap { message in
            WebPushErrors.rows.first {
                $0.surface == Self.autopushTexts && message.lowercased().hasPrefix($0.code.rawValue.lowercased())
            }
        }
        return Reading(
            surface: row?.surface ?? rawValue, code: row?.code ?? VendorCode(number), message: message)
    }

    /// The words that the table knows, in any case. Of other texts, a single word is a code, and a page is nothing.
    private func text(_ text: String) -> Reading? {
        let lower = text.lowercased()
        let row = WebPushErrors.rows.first { $0.surface == rawValue && lower.contains($0.code.rawValue.lowercased()) }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard row != nil || words.first.map({ $0.first != "<" }) == true else { return nil }
        let word = words.count == 1 ? VendorCode(String(words[0])) : nil
        return Reading(surface: rawValue, code: row?.code ?? word, message: text)
    }

    private func headers(of response: WireResponse) -> Reading? {
        let description = response.headers[.wnsDescription]
        let status = response.headers[.wnsStatus]?.lowercased()
        // Beside a refusal, it says nothing more.
        let word = status == "dropped" && !response.isSuccess ? nil : status
        let codes = [description, word].compactMap { $0.map { VendorCode($0) } }
        let known = codes.first { WebPushErrors.rows.row($0, on: rawValue) != nil }
        return (known ?? codes.last).map { Reading(surface: rawValue, code: $0, message: description) }
    }

    private func ntfy(_ reply: JSONValue?) -> Reading? {
        guard let code = reply?["code"]?.intValue, reply?["http"]?.intValue != nil else { return nil }
        return Reading(surface: rawValue, code: VendorCode(code), message: reply?["error"]?.stringValue)
    }
}
