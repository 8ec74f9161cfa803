#if PostgreSQL
    import PushAdapter
    import PushOutbox
    import PushPostgres

    /// The schema of a store: its tables, and the settings of its sessions.
    struct OutboxSchema: Sendable {
        let name: String
        /// The name as SQL.
        let quoted: String

        init(_ name: String) throws(PushError) {
            guard (1...63).contains(name.utf8.count), !name.utf8.contains(0) else {
                throw PushError(
                    .misconfigured, "the name of a schema has 1 to 63 bytes; it is \(Redaction.quoted(name))")
            }
            self.name = name
            quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
        }

        /// The settings of each session. The planner knows little about rows that come and go, so it may only use
        /// indexes. It plans anew each time, because it would keep a plan for an empty table when there are millions of
        /// rows. The server notices within a minute that a client's machine is gone, and frees its locks.
        var settings: String {
            """
            SET search_path TO \(path);
            SET lock_timeout = '5s'; SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '10s';
            SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
            SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
            SET plan_cache_mode = force_custom_plan;
            SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') <> 'remote_apply'
            """
        }

        /// Refuses a server that may lose a commit: a lost mark means a message sent twice.
        static func check(_ session: PostgresSession) throws {
            guard session.version >= 130_000 else {
                throw PushError(.misconfigured, "the store needs PostgreSQL 13 or later")
            }
            for setting in ["fsync", "full_page_writes"] {
                var value: String?
                try session.run("SELECT current_setting($1::text)", [.name(setting)]) { value = $0.text(0) }
                guard value == "on" else {
                    throw PushError(
                        .misconfigured,
                        "the server runs with \(setting) = off, so a power cut loses what was sent; turn it on")
                }
            }
        }

        /// Creates the tables, or brings them up to date.
        func migrate(_ session: PostgresSession) throws {
            // Another process may be creating the tables, so this waits as long as statements may run.
            try session.run("SET LOCAL lock_timeout = '60s'")
            try session.run(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.name("pushbridge schema \(name)")])
            try session.run("SET LOCAL lock_timeout = '5s'")
            var hasSchema = false
            try session.run("SELECT to_regnamespace($1) IS NOT NULL", [.name(quoted)]) {
                hasSchema = $0.integer(0) != 0
            }
            if !hasSchema { try session.run(script: createSchema) }
            for step in steps(from: try version(session) ?? 0) { try session.run(script: step) }
        }

        /// Refuses missing tables and tables of an older version.
        func checkVersion(_ session: PostgresSession) throws {
            let version = try version(session)
            guard version != Self.versions.count else { return }
            let what = version.map { "has tables of version \($0); this library needs \(Self.versions.count)" }
            throw PushError(
                .misconfigured,
                "the schema \(Redaction.quoted(name)) \(what ?? "has no outbox"); run PostgresOutboxStore.migrate or "
                    + "pushctl outbox migrate, with a role that may create tables")
        }

        /// The version of the tables; nil if there are none. Refuses a newer version than this library knows.
        private func version(_ session: PostgresSession) throws -> Int? {
            var hasTables = false
            try session.run("SELECT to_regclass($1) IS NOT NULL", [.name(quoted + ".outbox_schema")]) {
                hasTables = $0.integer(0) != 0
            }
            guard hasTables else { return nil }
            var version = 0
            try session.run("SELECT max(version) FROM outbox_schema") { version = Int($0.integer(0)) }
            guard version <= Self.versions.count else {
                throw PushError(
                    .misconfigured,
                    "the schema \(Redaction.quoted(name)) was written by a newer version of this library (\(version)); "
                        + "update it, or use another schema")
            }
            return version
        }

        private var createSchema: String { "CREATE SCHEMA \(quoted)" }

        /// The SQL that updates the tables from a version, in the schema that `search_path` names.
        private func steps(from version: Int) -> [String] {
            (version..<Self.versions.count).map { next in
                Self.versions[next] + "\nINSERT INTO outbox_schema VALUES (\(next + 1), now());\n"
            }
        }

        /// The SQL that creates everything, for teams that run migrations by hand.
        var script: String {
            "BEGIN;\n\(createSchema);\nSET LOCAL search_path TO \(path);\n" + steps(from: 0).joined() + "COMMIT;\n"
        }

        /// Temporary tables come last, so that they cannot hide the schema's tables.
        private var path: String { quoted + ", pg_temp" }

        /// The SQL of each version, oldest first. Names and reasons are UTF-8 in BYTEA. Dates are seconds since 2001,
        /// except those that only the server uses. The targets stand in a table beside the row that changes at each
        /// attempt: inside it, each change would write them again. Partial indexes cover only unfinished rows.
        static let versions = [
            """
            CREATE TABLE outbox_schema (version INT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL);
            CREATE TABLE outbox_campaign (
                id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name BYTEA NOT NULL UNIQUE, digest BYTEA NOT NULL,
                state SMALLINT NOT NULL, message BYTEA NOT NULL, options BYTEA, priority SMALLINT NOT NULL,
                seed BYTEA NOT NULL, created_at DOUBLE PRECISION NOT NULL, expires_at DOUBLE PRECISION,
                ended_at DOUBLE PRECISION, keeps DOUBLE PRECISION NOT NULL, keeps_name DOUBLE PRECISION NOT NULL,
                reason BYTEA, routes BYTEA[], planner BIGINT NOT NULL DEFAULT 0,
                CHECK (state BETWEEN 0 AND 8 AND priority BETWEEN 0 AND 2),
                CHECK (created_at BETWEEN -1e12 AND 1e12 AND expires_at BETWEEN -1e12 AND 1e12
                    AND ended_at BETWEEN -1e12 AND 1e12 AND keeps BETWEEN 0 AND 1e12 AND keeps_name BETWEEN 0 AND 1e12)
            );
            CREATE INDEX outbox_campaign_submitted ON outbox_campaign (priority, id) WHERE state = 8;
            CREATE INDEX outbox_campaign_state ON outbox_campaign (state, id);
            CREATE INDEX outbox_campaign_reason ON outbox_campaign (id) WHERE reason IS NOT NULL AND state IN (0, 1, 2, 8);
            CREATE INDEX outbox_campaign_expiry ON outbox_campaign (expires_at) WHERE state IN (1, 2);
            CREATE INDEX outbox_campaign_ended ON outbox_campaign ((ended_at + keeps)) WHERE ended_at IS NOT NULL;
            CREATE TABLE outbox_part (
                campaign BIGINT NOT NULL, number INT NOT NULL, route BYTEA NOT NULL, audience BYTEA,
                not_before DOUBLE PRECISION NOT NULL, paused_for BYTEA, patience DOUBLE PRECISION,
                priority SMALLINT NOT NULL, turn BIGINT NOT NULL DEFAULT 0, queued SMALLINT NOT NULL DEFAULT 0,
                wakes_at DOUBLE PRECISION,
                PRIMARY KEY (campaign, number),
                CHECK (number >= 0 AND not_before BETWEEN -1e12 AND 1e12 AND patience BETWEEN 0 AND 1e12)
            ) WITH (fillfactor = 70);
            CREATE INDEX outbox_part_queue ON outbox_part (route, priority, turn) WHERE queued = 1;
            CREATE INDEX outbox_part_routed ON outbox_part (route, priority, turn)
                WHERE queued = 1 AND patience IS NOT NULL;
            CREATE INDEX outbox_part_waits ON outbox_part (wakes_at) WHERE queued = 2;
            CREATE INDEX outbox_part_paused ON outbox_part (campaign) WHERE paused_for IS NOT NULL;
            CREATE SEQUENCE outbox_turn;
            CREATE TABLE outbox_ended (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, campaign BIGINT NOT NULL);
            CREATE TABLE outbox_slice (
                campaign BIGINT NOT NULL, part INT NOT NULL, number INT NOT NULL, state SMALLINT NOT NULL,
                not_before DOUBLE PRECISION NOT NULL, epoch INT NOT NULL, owner BIGINT NOT NULL, crashes INT NOT NULL,
                attempts INT NOT NULL, generation INT NOT NULL, key BYTEA, key_until DOUBLE PRECISION,
                key_used_at DOUBLE PRECISION, may_have_acted SMALLINT NOT NULL, marked INT NOT NULL, resent INT NOT NULL,
                targets INT NOT NULL, outcomes BYTEA NOT NULL, notes BYTEA, key_uptime BYTEA,
                open INT NOT NULL, again INT NOT NULL, accepted INT NOT NULL, invalid INT NOT NULL, suspect INT NOT NULL,
                rejected INT NOT NULL, later INT NOT NULL, unknown INT NOT NULL, repeated INT NOT NULL,
                moved INT NOT NULL, malformed INT NOT NULL,
                PRIMARY KEY (campaign, part, number),
                CHECK (state BETWEEN 0 AND 4 AND LEAST(part, number, epoch, crashes, attempts, generation, resent) >= 0
                    AND GREATEST(part, number, epoch, crashes, attempts, generation, resent) <= 2000000000),
                CHECK (targets BETWEEN 0 AND 100000 AND octet_length(outcomes) IN (1, targets)
                    AND marked BETWEEN 0 AND targets),
                CHECK (LEAST(open, again, accepted, invalid, suspect, rejected, later, unknown, repeated, moved, malformed) >= 0
                    AND GREATEST(open, again, accepted, invalid, suspect, rejected, later, unknown, repeated, moved,
                        malformed) <= targets),
                CHECK (not_before BETWEEN -1e12 AND 1e12)
            ) WITH (fillfactor = 70);
            CREATE INDEX outbox_slice_ready ON outbox_slice (campaign, part, not_before, number)
                WHERE state = 0 AND crashes = 0;
            CREATE INDEX outbox_slice_recovered ON outbox_slice (campaign, part, number) WHERE state = 0 AND crashes > 0;
            CREATE INDEX outbox_slice_keyed ON outbox_slice (key_used_at) WHERE state = 0 AND key_used_at IS NOT NULL;
            CREATE INDEX outbox_slice_open ON outbox_slice (campaign) INCLUDE (open, again) WHERE state <> 3;
            CREATE INDEX outbox_slice_quarantined ON outbox_slice (campaign, part, number) WHERE state IN (1, 2, 4);
            CREATE TABLE outbox_payload (
                campaign BIGINT NOT NULL, part INT NOT NULL, number INT NOT NULL, targets BYTEA NOT NULL,
                PRIMARY KEY (campaign, part, number)
            );
            CREATE TABLE outbox_quota (
                scope BYTEA NOT NULL, bucket BYTEA NOT NULL, tokens DOUBLE PRECISION NOT NULL,
                refilled_at DOUBLE PRECISION NOT NULL, paused_until DOUBLE PRECISION NOT NULL DEFAULT 0,
                PRIMARY KEY (scope, bucket)
            ) WITH (fillfactor = 50);
            CREATE TABLE outbox_server (history TEXT PRIMARY KEY);
            CREATE TABLE outbox_worker (
                id BIGINT PRIMARY KEY, host TEXT NOT NULL, started_at TIMESTAMPTZ NOT NULL,
                alive_until TIMESTAMPTZ NOT NULL
            );
            INSERT INTO outbox_server SELECT \(OutboxTables.history);
            """ + enqueue
        ]

        /// The most bytes of a campaign in JSON. Whoever may use the schema may call the function, and a worker reads
        /// what it stored. This is enough for more than ten thousand targets.
        private static let longestRequest = 4 << 20

        /// Refuses a name as `enqueue` does. Control characters are the bytes 00 to 1F and 7F, and C2 80 to C2 9F.
        private static let checkName = """
            IF asked_name IS NULL OR octet_length(asked_name) NOT BETWEEN 1 AND \(CampaignName.longest)
                OR encode(asked_name, 'hex') ~ '^(..)*([01].|7f|c2[89].)' THEN
                RAISE EXCEPTION 'the name of a campaign has 1 to \(CampaignName.longest) bytes and no control characters'
                    USING ERRCODE = '22023';
            END IF;
            """

        /// Functions that store a campaign in the caller's transaction, with the rights of the owner of the tables.
        /// `outbox_enqueue` takes JSON that a worker checks and plans, so everyone with access to the schema may call
        /// it. Two JSON campaigns are the same if they differ only in key order and spaces. `outbox_enqueue_prepared`
        /// takes the rows of a prepared campaign, so it is for programs with this library. They need the right to
        /// execute it.
        private static let enqueue = """

            CREATE FUNCTION outbox_kept(asked_name BYTEA, asked_digest BYTEA) RETURNS BIGINT LANGUAGE plpgsql
            SECURITY DEFINER SET search_path FROM CURRENT AS $body$
            DECLARE kept RECORD;
            BEGIN
                SELECT id, state, digest INTO kept FROM outbox_campaign WHERE name = asked_name FOR SHARE;
                IF NOT FOUND THEN
                    RAISE EXCEPTION 'a campaign of this name goes at this moment; try again' USING ERRCODE = '40001';
                ELSIF kept.state = 0 THEN
                    RAISE EXCEPTION 'the campaign is being enqueued by another call' USING ERRCODE = '55006';
                ELSIF kept.digest <> asked_digest THEN
                    RAISE EXCEPTION 'the name belongs to a campaign with another message, options or routes'
                        USING ERRCODE = '23505';
                END IF;
                RETURN kept.id;
            END $body$;
            REVOKE EXECUTE ON FUNCTION outbox_kept(BYTEA, BYTEA) FROM PUBLIC;

            CREATE FUNCTION outbox_enqueue(request TEXT) RETURNS BIGINT LANGUAGE plpgsql
            SECURITY DEFINER SET search_path FROM CURRENT AS $body$
            DECLARE asked JSONB; asked_name BYTEA; asked_digest BYTEA; made BIGINT;
            BEGIN
                IF octet_length(request) > \(longestRequest) THEN
                    RAISE EXCEPTION 'a campaign has at most \(longestRequest) bytes of JSON; prepare a longer one'
                        USING ERRCODE = '22023';
                END IF;
                asked := request::jsonb;
                asked_name := convert_to(asked->>'name', 'UTF8');
                asked_digest := convert_to(encode(sha256(convert_to(asked::text, 'UTF8')), 'hex'), 'UTF8');
                \(checkName)
                IF EXISTS (SELECT FROM jsonb_path_query(asked, 'lax $.to[*]') part
                    WHERE jsonb_typeof(part->'at') IS DISTINCT FROM 'string') THEN
                    RAISE EXCEPTION 'a part of the campaign has no route; "at" is its name' USING ERRCODE = '22023';
                END IF;
                INSERT INTO outbox_campaign (name, digest, state, message, routes, priority, seed, created_at, keeps,
                    keeps_name)
                VALUES (asked_name, asked_digest, 8, convert_to(request, 'UTF8'),
                    ARRAY(SELECT convert_to(route #>> '{}', 'UTF8')
                        FROM jsonb_path_query(asked, 'lax $.to[*].at') route),
                    CASE asked->>'priority' WHEN 'urgent' THEN 0 WHEN 'bulk' THEN 2 ELSE 1 END,
                    convert_to(replace(gen_random_uuid()::text, '-', ''), 'UTF8'),
                    extract(epoch FROM clock_timestamp())::float8 - 978307200, 14 * 86400, 400 * 86400)
                ON CONFLICT (name) DO NOTHING RETURNING id INTO made;
                RETURN COALESCE(made, outbox_kept(asked_name, asked_digest));
            END $body$;

            CREATE FUNCTION outbox_enqueue_prepared(request TEXT) RETURNS BIGINT LANGUAGE plpgsql
            SECURITY DEFINER SET search_path FROM CURRENT AS $body$
            DECLARE
                asked JSONB := request::jsonb;
                asked_name BYTEA := decode(asked->>'name', 'base64');
                asked_digest BYTEA := decode(asked->>'digest', 'base64');
                made BIGINT;
            BEGIN
                \(checkName)
                INSERT INTO outbox_campaign (name, digest, state, message, options, priority, seed, created_at, expires_at,
                    keeps, keeps_name)
                VALUES (asked_name, asked_digest, 1,
                    decode(asked->>'message', 'base64'), decode(asked->>'options', 'base64'),
                    (asked->>'priority')::smallint, decode(asked->>'seed', 'base64'), (asked->>'createdAt')::float8,
                    (asked->>'expiresAt')::float8, (asked->>'keeps')::float8, (asked->>'keepsName')::float8)
                ON CONFLICT (name) DO NOTHING RETURNING id INTO made;
                IF made IS NULL THEN
                    RETURN outbox_kept(asked_name, asked_digest);
                END IF;
                INSERT INTO outbox_part (campaign, number, route, audience, not_before, patience, priority, turn, queued)
                SELECT made, (part->>'number')::int, decode(part->>'route', 'base64'), decode(part->>'audience', 'base64'),
                    (part->>'notBefore')::float8, (part->>'patience')::float8, (asked->>'priority')::smallint,
                    nextval('outbox_turn'), 1
                FROM jsonb_array_elements(asked->'parts') part;
                INSERT INTO outbox_ended (campaign) VALUES (made);
                INSERT INTO outbox_slice (campaign, part, number, state, not_before, epoch, owner, crashes, attempts, generation,
                    may_have_acted, marked, resent, targets, outcomes, open, again, accepted, invalid, suspect, rejected,
                    later, unknown, repeated, moved, malformed)
                SELECT made, (slice->>'part')::int, (slice->>'number')::int, (slice->>'state')::smallint,
                    (slice->>'notBefore')::float8, 0, 0, 0, 0, 0, 0, 0, 0, (slice->>'targets')::int,
                    decode(slice->>'outcomes', 'base64'), (slice->>'open')::int, 0, 0, 0, 0, 0, 0, 0,
                    (slice->>'repeated')::int, 0, (slice->>'malformed')::int
                FROM jsonb_array_elements(asked->'slices') slice;
                INSERT INTO outbox_payload (campaign, part, number, targets)
                SELECT made, (slice->>'part')::int, (slice->>'number')::int, decode(slice->>'payload', 'base64')
                FROM jsonb_array_elements(asked->'slices') slice;
                RETURN made;
            END $body$;
            REVOKE EXECUTE ON FUNCTION outbox_enqueue_prepared(TEXT) FROM PUBLIC;
            """
    }
#endif
