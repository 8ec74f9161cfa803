public import PushAdapter

extension TPNS {
    /// Reads both of the vendor's envelopes. The code in the body takes precedence over the HTTP status.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard let envelope = try? response.json(Envelope.self) else {
            if response.status == 403 { return misplaced(code: nil, response) }
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let operation = call.operation
        let code = envelope.code(for: operation)
        if response.isSuccess, code == 0 || operation.isAnswered(by: code) { return nil }
        let row = TPNSErrors.row(code)
        if response.status == 403, row == nil { return misplaced(code: code == 0 ? nil : code, response) }
        guard code != 0 else { return PushError(unexplained: response) }
        var detail = VendorDetail(
            code: code, message: envelope.message, httpStatus: response.status, body: response.body)
        if operation == .send, TPNSCode.invalidTokens.contains(code) { detail.verdict = .dead() }
        var error = PushError(row, detail, of: "TPNS", in: response)
        guard let row else {
            if response.status != 429 { error.retry = .never }
            return error
        }
        // The limit is one push a second to everyone, tags and packages, so an earlier retry cannot succeed.
        if row.kind == .rateLimited, operation == .send { error.retry = .after(.seconds(1)) }
        if row.kind == .misconfigured, row.advice == TPNSErrors.accessPointAdvice {
            error.message = misplaced(code: code, response).message
        }
        return error
    }

    /// The error for an app that is not at this access point.
    private func misplaced(code: VendorCode?, _ response: WireResponse) -> PushError {
        var text = "TPNS: \(TPNSErrors.accessPointAdvice). This access point is \(Redaction.quoted(dataCenter.name))"
        if let other = otherAccessPoint { text += "; AccessIds with the same first digits were seen at \(other)" }
        return PushError(
            .misconfigured, text,
            vendor: VendorDetail(code: code, httpStatus: response.status, body: response.body))
    }
}

extension Feature {
    /// Whether a code is a valid result of the operation, not an error: nothing was found, or each element has its own
    /// code.
    fileprivate func isAnswered(by code: VendorCode) -> Bool {
        switch self {
        case .readAccounts, .readAccountDevices, .probeCredentials: code == TPNSCode.unknownTarget
        // Removing something that does not exist is a success.
        case .removeAccounts, .clearAccounts: code == TPNSCode.unknownTarget
        case .readDeliveries, .tpnsReadPush: code == TPNSCode.unknownPush
        case .tpnsBindAccounts, .tpnsUnbindAccounts, .tpnsClearAccounts, .tpnsDeleteAccounts:
            code == TPNSCode.partlyDone || code == TPNSCode.nothingDone
        case .tpnsReadAccounts, .tpnsReadDevices:
            [TPNSCode.partlyDone, TPNSCode.nothingDone, TPNSCode.unknownTarget].contains(code)
        default: false
        }
    }

    /// Whether a call has a single element. The element's code then says more than the call's.
    fileprivate var hasOneElement: Bool {
        let operations: [Feature] = [
            .readAccounts, .readAccountDevices, .addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts,
            .probeCredentials,
        ]
        return operations.contains(self)
    }
}

/// The codes that the adapter must tell apart.
enum TPNSCode {
    static let partlyDone: VendorCode = 1_008_026
    static let nothingDone: VendorCode = 1_008_027
    static let unknownPush: VendorCode = 1_008_015
    static let unknownTarget: VendorCode = 10_110_008
    static let invalidTokens: [VendorCode] = [1_008_006, 1_008_029]
}

/// The envelope of every response, in one of two spellings: `ret_code` and `err_msg`, or `retCode` and `errMsg`.
struct Envelope: Decodable {
    let code: VendorCode
    let message: String?
    /// The code of each element of a batch, in order; empty if there are none.
    let elements: [VendorCode]

    private enum CodingKeys: String, CodingKey {
        case snake = "ret_code"
        case camel = "retCode"
        case snakeMessage = "err_msg"
        case camelMessage = "errMsg"
        case capitalMessage = "ErrMsg"
        case result
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let key: CodingKeys = container.contains(.snake) ? .snake : .camel
        // One of the vendor's tables calls the code a text; the sample has a number.
        code = try container.decode(VendorCode.self, forKey: key)
        guard code.number != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "the code is neither a number nor digits")
        }
        let messages: [CodingKeys] = [.snakeMessage, .camelMessage, .capitalMessage]
        message = messages.lazy.compactMap { try? container.decode(String.self, forKey: $0) }.first
        // In other responses this field is a text or an object. Older samples have a word for success.
        let texts = try? container.decode([WireText].self, forKey: .result)
        let word: VendorCode = code == 0 ? 0 : -1
        elements = texts?.map { Int($0.text).map { VendorCode($0) } ?? word } ?? []
    }

    /// The code that counts. For a batch of one, this is the element's code.
    func code(for operation: Feature) -> VendorCode {
        guard operation.hasOneElement, [TPNSCode.partlyDone, TPNSCode.nothingDone].contains(code) else { return code }
        return elements.first { $0 != 0 } ?? code
    }
}

/// A response with an envelope.
struct Reply<Body: Decodable>: Decodable {
    let body: Body

    init(from decoder: any Decoder) throws {
        _ = try Envelope(from: decoder)
        body = try Body(from: decoder)
    }
}

/// A response that has only a code.
struct NoBody: Decodable {}

extension WireResponse {
    /// The body of a response with an envelope. A response without one is not from the vendor.
    func tpns<Body: Decodable>(_ type: Body.Type) throws(PushError) -> Body { try json(Reply<Body>.self).body }

    /// Throws if an element of a query has an error other than "not found". Otherwise the element would be a gap in the
    /// result.
    func expectKnownOrMissing() throws(PushError) {
        let missing = TPNSCode.invalidTokens + [TPNSCode.unknownTarget, 0]
        guard let code = try json(Envelope.self).elements.first(where: { !missing.contains($0) }) else { return }
        let row = TPNSErrors.row(code)
        throw PushError(
            row?.kind ?? .unknown, "TPNS: \(row?.advice ?? "part of the query failed with code \(code)")",
            retry: row?.retry ?? .never, effect: .unknown, vendor: VendorDetail(code: code, httpStatus: status))
    }

    /// Decodes the response to a write. It has only a code.
    static func expectDone(_ response: WireResponse) throws(PushError) { _ = try response.tpns(NoBody.self) }
}
