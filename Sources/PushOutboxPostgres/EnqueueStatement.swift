#if PostgreSQL
    import FoundationEssentials
    public import PushAdapter
    public import PushOutbox
    import PushPostgres

    extension PostgresOutboxStore {
        /// Returns the SQL, and its one text parameter, that store a prepared campaign within your own transaction,
        /// with your own driver. The statement returns the number of the campaign. Workers find the campaign after your
        /// commit.
        ///
        /// ```swift
        /// let call = try store.statement(enqueuing: shipped)
        /// try await connection.query(call.sql, [call.parameter])
        /// ```
        ///
        /// If the name exists with the same message, options and routes, the statement changes nothing. If another
        /// campaign has the name, it fails your transaction with SQLSTATE 23505; if the campaign is being loaded, with
        /// 55006.
        ///
        /// The role needs `USAGE` of the schema and `EXECUTE` of `outbox_enqueue_prepared`, which no role has by
        /// default. The function writes rows as given, so grant it only to programs with this library.
        ///
        /// Programs in other languages call `outbox_enqueue` with JSON, which a worker checks and plans: see "Send to
        /// millions".
        public func statement(
            enqueuing prepared: PreparedCampaign
        ) throws(PushError) -> (sql: String, parameter: String) {
            do {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                let request = try encoder.encode(EnqueueRequest(prepared, lead: clock.lead))
                return ("SELECT \(schema.quoted).outbox_enqueue_prepared($1)", String(decoding: request, as: UTF8.self))
            } catch {
                throw PushError(.invalidArgument, "the campaign cannot be written as JSON", underlying: error)
            }
        }
    }

    /// The parameter of the function `outbox_enqueue_prepared`. Bytes are Base64; dates are seconds since 2001 on the
    /// server's clock.
    private struct EnqueueRequest: Encodable {
        struct Part: Encodable {
            var number: Int
            var route: Data
            var audience: Data?
            var notBefore: Double
            var patience: Double?
        }

        struct Row: Encodable {
            var part, number, state, targets: Int
            var notBefore: Double
            var outcomes, payload: Data
            var open, malformed, repeated: Int
        }

        var name, digest, message, options, seed: Data
        var priority: Int
        var createdAt, keeps, keepsName: Double
        var expiresAt: Double?
        var parts: [Part]
        var slices: [Row]

        init(_ prepared: PreparedCampaign, lead: TimeInterval) throws {
            let campaign = prepared.campaign
            func date(_ date: Date) -> Double { date.timeIntervalSinceReferenceDate + lead }
            func text(_ text: String) -> Data { Data(text.utf8) }
            (name, digest, seed) = (text(campaign.name.rawValue), text(campaign.digest), text(campaign.seed))
            (message, options) = (Data(campaign.message), try JSONEncoder().encode(campaign.options))
            priority = campaign.options.priority.rawValue
            createdAt = date(campaign.createdAt)
            (keeps, keepsName) = (campaign.options.keeps.seconds, campaign.options.keepsName.seconds)
            expiresAt = campaign.expiresAt.map(date)
            parts = campaign.parts.map { part in
                Part(
                    number: part.number, route: text(part.route.rawValue), audience: part.audience.map { Data($0) },
                    notBefore: date(part.notBefore), patience: part.patience?.seconds)
            }
            slices = prepared.slices.map { slice, targets in
                let counts = slice.counts
                return Row(
                    part: slice.id.part, number: slice.id.number, state: slice.state.rawValue,
                    targets: slice.outcomes.count, notBefore: date(slice.notBefore),
                    outcomes: Data(slice.packedOutcomes), payload: Data(targets), open: counts[.open] ?? 0,
                    malformed: counts[.malformed] ?? 0, repeated: counts[.duplicate] ?? 0)
            }
        }
    }
#endif
