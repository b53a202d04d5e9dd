-- The functions and views of the store, and the columns that tables of earlier versions lack (fleet.sql has the tables). adtop fleet init runs this again on a fleet that is there, so that it gets those of
-- the program that runs it. A function whose arguments or results change gets a new name: agents of two versions work side by side.
-- Every function is one transaction, called alone (autocommit). Failures that mean something have SQLSTATE TF001 to TF009.
-- What writes for an agent waits for a lock for less than the 2 s for which the agent waits for the answer (55P03, nothing is done): a backend
-- does not notice that its client is gone, so calls behind a lock would fill the server, one connection each.

-- Which server this is. Timeline: raised by every promotion and by every recovery to a point in time.
CREATE OR REPLACE FUNCTION fleet.server(OUT system_id text, OUT timeline text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$$ SELECT (SELECT c.system_identifier::text FROM pg_control_system() c), substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) $$;

-- What every role may ask before it does anything else.
CREATE OR REPLACE FUNCTION fleet.schema_version() RETURNS int LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$$ SELECT schema_version FROM fleet.store $$;

-- FLT-9: whether a commit of this transaction may be called durable; called in every transaction that grants something.
CREATE OR REPLACE FUNCTION fleet.require_durable() RETURNS fleet.store LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE s fleet.store; here record;
BEGIN
    SELECT * INTO STRICT s FROM fleet.store;
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
    IF s.durability = 'strict' AND current_setting('synchronous_standby_names') = '' THEN
        RAISE EXCEPTION 'store: durability is strict and synchronous_standby_names is empty' USING ERRCODE = 'TF004'; END IF;
    IF s.durability = 'single' THEN
        here := fleet.server();
        IF (here.system_id, here.timeline) IS DISTINCT FROM (s.system_id, s.timeline) THEN
            RAISE EXCEPTION 'store: another server (timeline % of system %) than the one of this fleet', here.timeline, here.system_id
                USING ERRCODE = 'TF007', DETAIL = jsonb_build_object('timeline', here.timeline, 'known', s.timeline, 'system', here.system_id); END IF;
    END IF;
    RETURN s;
END $$;

CREATE OR REPLACE FUNCTION fleet.agent_start(p_name text, p_version text, p_protocol int, p_region text, p_capacity int, p_place text, p_pid int,
    OUT agent bigint, OUT at timestamptz, OUT lease_ms int, OUT beat_ms int, OUT mode text, OUT durability text, OUT state_version smallint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE s fleet.store := fleet.require_durable(); other fleet.agent;
BEGIN
    IF p_protocol NOT BETWEEN s.protocol_min AND s.protocol_max THEN
        RAISE EXCEPTION 'store: protocol % is not between % and %', p_protocol, s.protocol_min, s.protocol_max
            USING ERRCODE = 'TF003', DETAIL = jsonb_build_object('lowest', s.protocol_min, 'highest', s.protocol_max); END IF;
    FOR other IN SELECT * FROM fleet.agent a WHERE a.name = p_name AND a.fenced_at IS NULL FOR NO KEY UPDATE LOOP
        -- A lease more than two leases ahead is from before the clock was set back: it counts as over, as in a beat.
        IF other.place <> p_place AND other.lease_until BETWEEN clock_timestamp() AND clock_timestamp() + 2 * s.lease THEN
            RAISE EXCEPTION 'agent: the name % is in use by % (pid %)', p_name, other.place, other.pid
                USING ERRCODE = 'TF006', DETAIL = jsonb_build_object('name', p_name, 'place', other.place, 'pid', other.pid); END IF;
        UPDATE fleet.agent SET fenced_at = clock_timestamp() WHERE id = other.id;   -- its place is locked by the new process: it is dead
    END LOOP;
    INSERT INTO fleet.agent (name, version, protocol, region, capacity, place, pid, lease_until)
        VALUES (p_name, p_version, p_protocol, p_region, p_capacity, p_place, p_pid, clock_timestamp() + s.lease) RETURNING id INTO agent;
    at := clock_timestamp(); lease_ms := extract(epoch FROM s.lease) * 1000; beat_ms := extract(epoch FROM s.beat) * 1000;
    mode := s.mode; durability := s.durability; state_version := s.state_version;
END $$;

-- FLT-1, FLT-2: renews the lease, fences agents whose lease is over, says how many viewers to take (positive) or to give (negative).
CREATE OR REPLACE FUNCTION fleet.agent_beat(p_agent bigint, p_load jsonb,
    OUT at timestamptz, OUT mode text, OUT drain boolean, OUT want int, OUT holding int, OUT change bigint, OUT watched int[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE s fleet.store := fleet.require_durable(); me fleet.agent; share int; own int; free int; lacks int; kept int;
BEGIN
    at := clock_timestamp();
    UPDATE fleet.agent a SET beat_at = at, lease_until = at + s.lease, load = p_load,
        steady_since = CASE WHEN a.lease_until BETWEEN at AND at + 2 * s.lease THEN a.steady_since ELSE at END
        WHERE a.id = p_agent AND a.fenced_at IS NULL RETURNING * INTO me;
    IF NOT FOUND THEN RAISE EXCEPTION 'agent: % is fenced or unknown', p_agent USING ERRCODE = 'TF001'; END IF;
    -- Only an agent that was well itself for longer than a lease judges others: after an outage of the store, or a step of its clock, none is.
    IF me.steady_since < at - s.lease - s.beat THEN
        UPDATE fleet.agent SET fenced_at = at, fenced_by = p_agent WHERE id IN (SELECT a.id FROM fleet.agent a
            WHERE a.fenced_at IS NULL AND a.lease_until NOT BETWEEN at AND at + 2 * s.lease ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED)
            AND lease_until NOT BETWEEN at AND at + 2 * s.lease;
    END IF;
    -- FLT-17: shares by capacity. The viewers of a region are for its agents alone; those of any region fill the room that is left. Who does not
    -- know the version in which sessions are saved could not take its part of them: it has no share while another agent of its region does, and
    -- none of those of any region while any other agent does.
    WITH wanted AS (SELECT v.region, count(*) AS viewers FROM fleet.viewer v WHERE v.removed_at IS NULL GROUP BY v.region),
    present AS (SELECT a.id, a.capacity, a.region, coalesce((a.load->>'stateVersion')::int, s.state_version) >= s.state_version AS is_able
        FROM fleet.agent a WHERE a.fenced_at IS NULL AND NOT a.drain),
    workers AS (SELECT a.id, a.capacity, a.is_able,
            least(a.capacity, coalesce(w.viewers, 0)::numeric * a.capacity / sum(a.capacity) OVER (PARTITION BY a.region)) AS own
        FROM present a LEFT JOIN wanted w ON w.region = a.region AND a.region <> ''
        WHERE a.is_able OR NOT EXISTS (SELECT FROM present b WHERE b.region = a.region AND b.is_able)),
    rooms AS (SELECT k.id, k.own, CASE WHEN k.is_able OR NOT EXISTS (SELECT FROM workers b WHERE b.is_able) THEN k.capacity - k.own ELSE 0 END AS room
        FROM workers k),
    shares AS (SELECT k.id, k.own, k.own + coalesce((SELECT w.viewers FROM wanted w WHERE w.region = ''), 0) * k.room
        / greatest(sum(k.room) OVER (), 1) AS total FROM rooms k)
    SELECT least(ceil(h.total), me.capacity), ceil(h.own) INTO share, own FROM shares h WHERE h.id = p_agent;
    share := coalesce(share, 0); own := coalesce(own, 0);
    -- What an agent of a later version saved, this one cannot take: it must not make room for it.
    SELECT count(*), count(*) FILTER (WHERE f.region <> '') INTO free, lacks FROM (SELECT v.id, v.region FROM fleet.viewer v
            WHERE v.owner IS NULL AND v.removed_at IS NULL AND v.region IN ('', me.region)
        UNION ALL SELECT v.id, v.region FROM fleet.viewer v JOIN fleet.agent a ON a.id = v.owner
            WHERE a.fenced_at IS NOT NULL AND v.removed_at IS NULL AND v.region IN ('', me.region)) f
        WHERE NOT EXISTS (SELECT FROM fleet.session x WHERE x.viewer = f.id AND x.version > (p_load->>'stateVersion')::int);
    IF lacks > 0 THEN
        SELECT least(lacks, own - count(*)) INTO lacks FROM fleet.viewer v WHERE v.owner = p_agent AND v.removed_at IS NULL AND v.region = me.region; END IF;
    drain := me.drain; mode := s.mode; holding := me.holding; kept := me.holding;
    -- Those that the list does not want any more it gives anyway, and must give no others in their place. They are counted only where it matters.
    IF kept > share + greatest(2, share / 50) THEN
        SELECT kept - count(*) INTO kept FROM fleet.viewer v WHERE v.owner = p_agent AND v.removed_at IS NOT NULL; END IF;
    -- Free viewers of the region within its share of them are taken beyond the share of all, and what it must give for that, the agent gives
    -- of those of any region.
    want := CASE WHEN me.drain THEN -me.holding
        WHEN kept > share + greatest(2, share / 50) THEN -least(kept - share, s.moves)
        WHEN lacks > me.capacity - me.holding THEN -least(lacks - (me.capacity - me.holding), s.moves)
        ELSE greatest(0, least(greatest(least(free, share - me.holding), lacks), s.takes)) END;
    SELECT coalesce(max(c.change), 0) INTO change FROM fleet.channel c;   -- rows of removed channels stay
    watched := ARRAY(SELECT v.id FROM fleet.viewer v WHERE v.owner = p_agent AND v.watched_until > at);
END $$;

-- FLT-3, FLT-5: takes viewers that have no owner, or whose owner is fenced. What was claimed of them is read afterwards, with claims_after.
CREATE OR REPLACE FUNCTION fleet.viewers_take(p_agent bigint, p_count int, p_state_version smallint)
RETURNS TABLE (viewer int, epoch int, due_from timestamptz, channel int, name text, url text, options jsonb, number smallint,
    session_version smallint, sealed boolean, state bytea, saved_at timestamptz, media timestamptz, media_at timestamptz, rate real, at timestamptz,
    region text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE s fleet.store := fleet.require_durable(); me fleet.agent; wanted text; picked int[] := '{}';
BEGIN
    SELECT * INTO me FROM fleet.agent a WHERE a.id = p_agent AND a.fenced_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'agent: % is fenced or unknown', p_agent USING ERRCODE = 'TF001'; END IF;
    IF me.drain THEN RETURN; END IF;
    FOREACH wanted IN ARRAY ARRAY[nullif(me.region, ''), ''] LOOP   -- first those that only agents of its region may take
        picked := picked || ARRAY(SELECT v.id FROM fleet.viewer v LEFT JOIN fleet.agent o ON o.id = v.owner LEFT JOIN fleet.session x ON x.viewer = v.id
            WHERE (v.owner IS NULL OR o.fenced_at IS NOT NULL) AND v.removed_at IS NULL AND v.region = wanted
                AND coalesce(x.version, 0) <= p_state_version
            ORDER BY v.id LIMIT least(p_count, me.capacity - me.holding) - cardinality(picked) FOR NO KEY UPDATE OF v SKIP LOCKED);
    END LOOP;
    UPDATE fleet.viewer v SET owner = p_agent, epoch = v.epoch + 1, owned_at = clock_timestamp(),
        due_from = coalesce((SELECT p.media - s.lookback FROM fleet.playhead p WHERE p.viewer = v.id),
            v.due_from + (clock_timestamp() - coalesce(v.owned_at, clock_timestamp()))) WHERE v.id = ANY (picked);
    UPDATE fleet.agent SET holding = holding + cardinality(picked) WHERE id = p_agent;
    RETURN QUERY SELECT v.id, v.epoch, v.due_from, c.id, c.name, c.url, c.options, v.number, x.version, x.sealed, x.state, x.saved_at,
        p.media, p.at, p.rate, clock_timestamp(), v.region FROM fleet.viewer v JOIN fleet.channel c ON c.id = v.channel
        LEFT JOIN fleet.session x ON x.viewer = v.id LEFT JOIN fleet.playhead p ON p.viewer = v.id WHERE v.id = ANY (picked);
END $$;

-- FLT-3: whose owner the agent is, as the store knows it: after a take or a give whose answer was lost.
CREATE OR REPLACE FUNCTION fleet.viewers_of(p_agent bigint) RETURNS TABLE (viewer int, epoch int) LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$ SELECT id, epoch FROM fleet.viewer WHERE owner = p_agent $$;
-- Of those the ones that the list does not want any more, for whatever reason; the agent gives them.
CREATE OR REPLACE FUNCTION fleet.viewers_unwanted(p_agent bigint) RETURNS TABLE (viewer int, epoch int) LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$ SELECT id, epoch FROM fleet.viewer WHERE owner = p_agent AND removed_at IS NOT NULL $$;
-- FLT-5: what was claimed of viewers that this agent took, from due_from on. Nothing of a viewer is claimed before this was read.
CREATE OR REPLACE FUNCTION fleet.claims_of(p_agent bigint, p_viewers int[])
RETURNS TABLE (viewer int, due_at timestamptz, beacon uuid, round smallint, attempt smallint, state "char", status smallint, type text, url text,
    ad bigint, epoch int, number int) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.viewer, c.due_at, c.beacon, c.round, c.attempt, c.state, c.status, c.type, c.url, c.ad, c.epoch, c.number
    FROM fleet.viewer v, LATERAL (SELECT * FROM fleet.claim c WHERE c.viewer = v.id AND c.due_at >= v.due_from
        ORDER BY c.due_at DESC LIMIT 100000) c WHERE v.id = ANY (p_viewers) AND v.owner = p_agent $$;
-- The same in parts: of each viewer the first ones, in their order, that come after the key of the last one read; after none without a key.
CREATE OR REPLACE FUNCTION fleet.claims_after(p_agent bigint, p_viewers int[], p_count int, p_due timestamptz, p_beacon uuid, p_round smallint, p_attempt smallint)
RETURNS TABLE (viewer int, due_at timestamptz, beacon uuid, round smallint, attempt smallint, state "char", status smallint, type text, url text,
    ad bigint, epoch int, number int) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.viewer, c.due_at, c.beacon, c.round, c.attempt, c.state, c.status, c.type, c.url, c.ad, c.epoch, c.number
    FROM fleet.viewer v, LATERAL (SELECT * FROM fleet.claim c WHERE c.viewer = v.id AND c.due_at >= v.due_from
            AND c.due_at >= coalesce(p_due, '-infinity')
            AND (p_due IS NULL OR (c.due_at, c.beacon, c.round, c.attempt) > (p_due, p_beacon, p_round, p_attempt))
        ORDER BY c.due_at, c.beacon, c.round, c.attempt LIMIT p_count) c WHERE v.id = ANY (p_viewers) AND v.owner = p_agent $$;
CREATE OR REPLACE FUNCTION fleet.ads_of(p_agent bigint, p_viewers int[]) RETURNS SETOF fleet.ad
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT a.* FROM fleet.viewer v JOIN fleet.ad a ON a.viewer = v.id AND a.first_start >= v.due_from - interval '1 day'
    WHERE v.id = ANY (p_viewers) AND v.owner = p_agent
    UNION ALL    -- of what has no date, such as pings: its claims have the date where the viewer was (FLT-3)
    SELECT a.* FROM fleet.viewer v JOIN fleet.ad a ON a.viewer = v.id AND a.first_start = 'epoch' AND a.first_start < v.due_from - interval '1 day'
    WHERE v.id = ANY (p_viewers) AND v.owner = p_agent $$;

-- FLT-4: claims. Result of each, in order: 0 granted, 1 another claim is there, 2 not the owner in that epoch, 3 due before due_from.
CREATE OR REPLACE FUNCTION fleet.claim(p_agent bigint, p_viewer int[], p_epoch int[], p_number int[], p_due timestamptz[], p_beacon uuid[], p_round smallint[],
    p_attempt smallint[], p_ad bigint[], p_host int[], p_late int[], p_type text[], p_url text[]) RETURNS smallint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE s fleet.store := fleet.require_durable(); results smallint[];
BEGIN
    IF s.mode <> 'fire' THEN RAISE EXCEPTION 'store: the fleet observes' USING ERRCODE = 'TF005'; END IF;
    -- The lock orders this claim before or after a fence or a give, writes to the log so that even a repeat waits for the standby, and
    -- ends the snapshot: what follows sees everything that was committed before the lock. FOR KEY SHARE would not do.
    PERFORM FROM fleet.agent a WHERE a.id = p_agent AND a.fenced_at IS NULL FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'agent: % is fenced or unknown', p_agent USING ERRCODE = 'TF001'; END IF;
    WITH asked AS MATERIALIZED (
        SELECT u.*, v.id IS NOT NULL AS is_owned, u.due_at >= v.due_from AS is_in_time
        FROM unnest(p_viewer, p_epoch, p_number, p_due, p_beacon, p_round, p_attempt, p_ad, p_host, p_late, p_type, p_url) WITH ORDINALITY
            AS u(viewer, epoch, number, due_at, beacon, round, attempt, ad, host, late_ms, type, url, place)
        LEFT JOIN fleet.viewer v ON v.id = u.viewer AND v.owner = p_agent AND v.epoch = u.epoch),
    made AS (
        INSERT INTO fleet.claim (due_at, claimed_at, ad, beacon, viewer, epoch, number, host, late_ms, round, attempt, type, url)
        SELECT due_at, clock_timestamp(), ad, beacon, viewer, epoch, number, host, late_ms, round, attempt, type, url
        FROM asked WHERE is_owned AND is_in_time ORDER BY viewer, due_at, beacon, round, attempt
        ON CONFLICT DO NOTHING RETURNING viewer, due_at, beacon, round, attempt, number)
    SELECT array_agg((CASE WHEN NOT a.is_owned THEN 2 WHEN NOT a.is_in_time THEN 3 WHEN m.viewer IS NULL THEN 1 ELSE 0 END)::smallint ORDER BY a.place)
        INTO results FROM asked a LEFT JOIN made m USING (viewer, due_at, beacon, round, attempt, number);
    IF 1 = ANY (results) THEN      -- the very same claim, asked again after its answer was lost, is granted again
        SELECT array_agg(CASE WHEN r.result = 1 AND EXISTS (SELECT FROM fleet.claim c WHERE (c.viewer, c.due_at, c.beacon, c.round, c.attempt)
                = (u.viewer, u.due_at, u.beacon, u.round, u.attempt) AND c.epoch = u.epoch AND c.number = u.number AND c.state IS NULL)
            THEN 0::smallint ELSE r.result END ORDER BY r.place) INTO results
        FROM unnest(results) WITH ORDINALITY AS r(result, place) JOIN unnest(p_viewer, p_epoch, p_number, p_due, p_beacon, p_round, p_attempt)
            WITH ORDINALITY AS u(viewer, epoch, number, due_at, beacon, round, attempt, place) USING (place);
    END IF;
    IF 1 < ANY (p_attempt) THEN
        UPDATE fleet.claim c SET superseded = true FROM unnest(p_viewer, p_due, p_beacon, p_round, p_attempt, results)
            AS u(viewer, due_at, beacon, round, attempt, result) WHERE (c.viewer, c.due_at, c.beacon, c.round) = (u.viewer, u.due_at, u.beacon, u.round)
            AND u.result = 0 AND c.attempt < u.attempt AND NOT c.superseded;
    END IF;
    RETURN results;
END $$;

-- Ads and hosts that claims name; before the claim, and an ad again after half a day: one that is not in a partition of its day, such as that
-- of all pings of a session, ends when claims have not named it for the retention and a day.
DO $$ BEGIN                                    -- stores of earlier versions lack it
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'fleet.ad'::regclass AND attname = 'named_at' AND NOT attisdropped) THEN
        ALTER TABLE fleet.ad ADD COLUMN named_at timestamptz NOT NULL DEFAULT now();
        CREATE INDEX ad_named ON fleet.ad_rest USING brin (named_at);
    END IF;
END $$;
CREATE OR REPLACE FUNCTION fleet.ads_add(p_agent bigint, p_ads jsonb) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE n int;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);   -- the flush of the claim that follows carries it
    INSERT INTO fleet.ad AS a (viewer, first_start, id, ad, duration_ms, break, break_start, break_ms, source)
        SELECT r.viewer, r.first_start, r.id, r.ad, r.duration_ms, r.break, r.break_start, r.break_ms, r.source
        FROM jsonb_populate_recordset(NULL::fleet.ad, p_ads) r JOIN fleet.viewer v ON v.id = r.viewer AND v.owner = p_agent
        ON CONFLICT (viewer, first_start, id) DO UPDATE SET named_at = now() WHERE a.named_at < now() - interval '12 hours';
    GET DIAGNOSTICS n = ROW_COUNT; RETURN n;
END $$;
CREATE OR REPLACE FUNCTION fleet.hosts(p_names text[]) RETURNS SETOF fleet.host
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
BEGIN
    INSERT INTO fleet.host (name) SELECT left(n, 300) FROM unnest(p_names) n WHERE NOT EXISTS (SELECT FROM fleet.host h WHERE h.name = left(n, 300))
        ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT * FROM fleet.host h WHERE h.name = ANY (SELECT left(n, 300) FROM unnest(p_names) n);
END $$;

-- What became of claims, in any order, late or again, from any agent; fenced or not, it is true. Not flushed.
CREATE OR REPLACE FUNCTION fleet.outcomes(p_viewer int[], p_epoch int[], p_number int[], p_due timestamptz[], p_beacon uuid[], p_round smallint[],
    p_attempt smallint[], p_state "char"[], p_status smallint[], p_took int[]) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE n int;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE fleet.claim c SET state = u.state, status = u.status, took_ms = u.took
    FROM unnest(p_viewer, p_epoch, p_number, p_due, p_beacon, p_round, p_attempt, p_state, p_status, p_took)
        AS u(viewer, epoch, number, due_at, beacon, round, attempt, state, status, took)
    WHERE c.viewer = u.viewer AND c.due_at = u.due_at AND c.beacon = u.beacon AND c.round = u.round AND c.attempt = u.attempt
        AND c.epoch = u.epoch AND c.number = u.number AND c.state IS NULL;
    GET DIAGNOSTICS n = ROW_COUNT; RETURN n;
END $$;

-- FLT-6: gives viewers away. The lock waits for claims under way; those that come later are refused.
CREATE OR REPLACE FUNCTION fleet.viewers_give(p_agent bigint, p_viewer int[], p_epoch int[]) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
DECLARE n int; s fleet.store := fleet.require_durable();
BEGIN
    PERFORM FROM fleet.agent a WHERE a.id = p_agent AND a.fenced_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'agent: % is fenced or unknown', p_agent USING ERRCODE = 'TF001'; END IF;
    UPDATE fleet.viewer v SET owner = NULL, epoch = v.epoch + 1, owned_at = clock_timestamp() FROM unnest(p_viewer, p_epoch) AS u(viewer, epoch)
        WHERE v.id = u.viewer AND v.epoch = u.epoch AND v.owner = p_agent;
    GET DIAGNOSTICS n = ROW_COUNT;
    UPDATE fleet.agent SET holding = greatest(0, holding - n) WHERE id = p_agent;
    PERFORM pg_notify('adtop_fleet', 'free'); RETURN n;
END $$;
CREATE OR REPLACE FUNCTION fleet.agent_end(p_agent bigint) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
    UPDATE fleet.agent SET fenced_at = coalesce(fenced_at, clock_timestamp()), ended = true WHERE id = p_agent;
    SELECT pg_notify('adtop_fleet', 'free') $$;

-- What is handed on. Only the owner in its epoch writes it, and no call of the owner's that is executed late replaces what a later one saved.
DO $$ BEGIN                                    -- stores of earlier versions lack it
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'fleet.session'::regclass AND attname = 'call' AND NOT attisdropped) THEN
        ALTER TABLE fleet.session ADD COLUMN call bigint NOT NULL DEFAULT 0;
    END IF;
END $$;
CREATE OR REPLACE FUNCTION fleet.sessions_save_2(p_agent bigint, p_viewer int[], p_epoch int[], p_version smallint, p_sealed boolean, p_state bytea[], p_call bigint)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
    INSERT INTO fleet.session AS x SELECT v.id, v.epoch, p_version, p_sealed, u.state, clock_timestamp(), p_call
    FROM unnest(p_viewer, p_epoch, p_state) AS u(viewer, epoch, state) JOIN fleet.viewer v ON (v.id, v.epoch, v.owner) = (u.viewer, u.epoch, p_agent)
    ON CONFLICT (viewer) DO UPDATE SET (epoch, version, sealed, state, saved_at, call) = (excluded.epoch, excluded.version, excluded.sealed,
        excluded.state, excluded.saved_at, excluded.call) WHERE (x.epoch, x.call) <= (excluded.epoch, excluded.call) $$;
-- Of agents of earlier versions, whose calls have no numbers.
CREATE OR REPLACE FUNCTION fleet.sessions_save(p_agent bigint, p_viewer int[], p_epoch int[], p_version smallint, p_sealed boolean, p_state bytea[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
    SELECT fleet.sessions_save_2(p_agent, p_viewer, p_epoch, p_version, p_sealed, p_state, 0) $$;
DO $$ BEGIN                                    -- stores of earlier versions lack it
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'fleet.playhead'::regclass AND attname = 'call' AND NOT attisdropped) THEN
        ALTER TABLE fleet.playhead ADD COLUMN call bigint NOT NULL DEFAULT 0;
    END IF;
END $$;
CREATE OR REPLACE FUNCTION fleet.playheads_save_2(p_agent bigint, p_viewer int[], p_epoch int[], p_media timestamptz[], p_age_ms int[], p_rate real[], p_call bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO fleet.playhead AS x SELECT v.id, v.epoch, u.media, clock_timestamp() - u.age * interval '1 ms', u.rate, p_call
    FROM unnest(p_viewer, p_epoch, p_media, p_age_ms, p_rate) AS u(viewer, epoch, media, age, rate)
    JOIN fleet.viewer v ON (v.id, v.epoch, v.owner) = (u.viewer, u.epoch, p_agent)
    ON CONFLICT (viewer) DO UPDATE SET (epoch, media, at, rate, call) = (excluded.epoch, excluded.media, excluded.at, excluded.rate, excluded.call)
        WHERE (x.epoch, x.call) <= (excluded.epoch, excluded.call);
END $$;
-- Of agents of earlier versions, whose calls have no numbers.
CREATE OR REPLACE FUNCTION fleet.playheads_save(p_agent bigint, p_viewer int[], p_epoch int[], p_media timestamptz[], p_age_ms int[], p_rate real[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
BEGIN
    PERFORM fleet.playheads_save_2(p_agent, p_viewer, p_epoch, p_media, p_age_ms, p_rate, 0);
END $$;
DO $$ BEGIN                                    -- stores of earlier versions lack them
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'fleet.health'::regclass AND attname = 'provider' AND NOT attisdropped) THEN
        ALTER TABLE fleet.health ADD COLUMN provider text, ADD COLUMN service_mode text;
    END IF;
END $$;
CREATE OR REPLACE FUNCTION fleet.health_save(p_agent bigint, p_rows jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO fleet.health AS x SELECT r.viewer, p_agent, clock_timestamp(), r.phase, left(r.problem, 300), r.due, r.sent, r.acknowledged, r.failed,
        r.unknown, r.worst_late_ms, r.poll_age_ms, left(r.provider, 60), left(r.service_mode, 60) FROM jsonb_populate_recordset(NULL::fleet.health, p_rows) r
        JOIN fleet.viewer v ON v.id = r.viewer AND v.owner = p_agent
    -- Agents of earlier versions, and sessions that are not open yet, do not name the provider.
    ON CONFLICT (viewer) DO UPDATE SET (agent, at, phase, problem, due, sent, acknowledged, failed, unknown, worst_late_ms, poll_age_ms, provider, service_mode) =
        (excluded.agent, excluded.at, excluded.phase, excluded.problem, excluded.due, excluded.sent, excluded.acknowledged, excluded.failed,
        excluded.unknown, excluded.worst_late_ms, excluded.poll_age_ms, coalesce(excluded.provider, x.provider),
        CASE WHEN excluded.provider IS NULL THEN x.service_mode ELSE excluded.service_mode END);
END $$;
CREATE OR REPLACE FUNCTION fleet.unsent_add(p_agent bigint, p_rows jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO fleet.unsent SELECT r.* FROM jsonb_populate_recordset(NULL::fleet.unsent, p_rows) r ON CONFLICT DO NOTHING;
END $$;
CREATE OR REPLACE FUNCTION fleet.notes_add(p_agent bigint, p_rows jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO fleet.note SELECT r.at, r.viewer, p_agent, r.kind, r.level, r.rule, left(r.words, 2000)
        FROM jsonb_populate_recordset(NULL::fleet.note, p_rows) r;
END $$;
CREATE OR REPLACE FUNCTION fleet.picture_save(p_agent bigint, p_viewer int, p_snapshot text) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = '1500ms' AS $$
    INSERT INTO fleet.picture SELECT v.id, clock_timestamp(), p_snapshot FROM fleet.viewer v WHERE v.id = p_viewer AND v.owner = p_agent
    ON CONFLICT (viewer) DO UPDATE SET (at, snapshot) = (excluded.at, excluded.snapshot) $$;
CREATE OR REPLACE FUNCTION fleet.channels_changed(p_since bigint) RETURNS SETOF fleet.channel LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$ SELECT * FROM fleet.channel WHERE change > p_since $$;

-- The list. Adding a name again changes its channel; viewers that are no longer wanted are marked, and their owners give them after the next beat.
-- Changes lock the table, so that their numbers are committed in order: an agent that asks for those after N has all up to N.
CREATE OR REPLACE FUNCTION fleet.viewers_fit(p_channel int) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO fleet.viewer AS v (channel, region, number) SELECT c.id, r, n FROM fleet.channel c, unnest(c.regions) r, generate_series(1, c.viewers) n
        WHERE c.id = p_channel AND c.removed_at IS NULL
        ON CONFLICT (channel, region, number) DO UPDATE SET removed_at = NULL, owned_at = now() WHERE v.removed_at IS NOT NULL;
    UPDATE fleet.viewer v SET removed_at = now() FROM fleet.channel c WHERE c.id = p_channel AND v.channel = c.id AND v.removed_at IS NULL
        AND (c.removed_at IS NOT NULL OR v.region <> ALL (c.regions) OR v.number > c.viewers) $$;
CREATE OR REPLACE FUNCTION fleet.channels_add(p_rows jsonb) RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE r record; n int := 0; id int;
BEGIN
    LOCK TABLE fleet.channel IN SHARE ROW EXCLUSIVE MODE;
    FOR r IN SELECT * FROM jsonb_to_recordset(p_rows) AS x(name text, url text, options jsonb, labels text[], regions text[], viewers smallint) LOOP
        INSERT INTO fleet.channel AS c (name, url, options, labels, regions, viewers) VALUES (r.name, r.url, coalesce(r.options, '{}'),
            coalesce(r.labels, '{}'), coalesce(r.regions, '{""}'), coalesce(r.viewers, 1::smallint))
        ON CONFLICT (name) WHERE removed_at IS NULL DO UPDATE SET (url, options, labels, regions, viewers, change) = (excluded.url, excluded.options,
            excluded.labels, excluded.regions, excluded.viewers, nextval('fleet.change')) RETURNING c.id INTO id;
        PERFORM fleet.viewers_fit(id); n := n + 1;
    END LOOP;
    PERFORM pg_notify('adtop_fleet', 'list'); RETURN n;
END $$;
CREATE OR REPLACE FUNCTION fleet.channels_remove(p_names text[]) RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE id int; n int := 0;
BEGIN
    LOCK TABLE fleet.channel IN SHARE ROW EXCLUSIVE MODE;
    FOR id IN UPDATE fleet.channel c SET removed_at = now(), change = nextval('fleet.change') WHERE c.name = ANY (p_names) AND c.removed_at IS NULL
        RETURNING c.id LOOP PERFORM fleet.viewers_fit(id); n := n + 1; END LOOP;
    PERFORM pg_notify('adtop_fleet', 'list'); RETURN n;
END $$;
CREATE OR REPLACE FUNCTION fleet.agent_drain(p_name text, p_on boolean) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_notify('adtop_fleet', 'drain');
    WITH d AS (UPDATE fleet.agent SET drain = p_on WHERE name = p_name AND fenced_at IS NULL RETURNING holding) SELECT sum(holding)::int FROM d $$;
-- Not confirmed by a standby: a fleet must stop sending while there is none. A claim that is granted later is confirmed together with the mode.
CREATE OR REPLACE FUNCTION fleet.mode_set(p_mode text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT set_config('synchronous_commit', 'local', true);
    UPDATE fleet.store SET mode = p_mode; SELECT pg_notify('adtop_fleet', 'mode') $$;
CREATE OR REPLACE FUNCTION fleet.watch(p_viewer int) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE fleet.viewer SET watched_until = clock_timestamp() + interval '10 s' WHERE id = p_viewer $$;
-- FLT-16: a person says that this server is the right one, that the former one is stopped, and how the fleet is kept durable from now on. It
-- may have forgotten claims, so every viewer begins a new session and claims nothing due before this moment: by the dates of its own media,
-- as its playhead, or that moment of an acceptance before, would be by now, where they differ from the clock by more than an hour. The locks
-- wait for writers that still saw an owner. As with the mode, no standby is waited for: a promoted server may have none yet.
CREATE OR REPLACE FUNCTION fleet.server_accept(p_durability text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT set_config('synchronous_commit', 'local', true);
    LOCK TABLE fleet.session, fleet.playhead IN SHARE ROW EXCLUSIVE MODE;
    UPDATE fleet.store SET durability = p_durability, (system_id, timeline) = (SELECT x.system_id, x.timeline FROM fleet.server() x);
    UPDATE fleet.agent SET fenced_at = clock_timestamp() WHERE fenced_at IS NULL;
    UPDATE fleet.viewer v SET owner = NULL, epoch = v.epoch + 1, owned_at = clock_timestamp(), due_from = coalesce(
        (SELECT CASE WHEN r.media BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() THEN clock_timestamp() ELSE r.media END
            FROM (SELECT p.media + (clock_timestamp() - p.at) * greatest(p.rate, 1) AS media FROM fleet.playhead p WHERE p.viewer = v.id
                UNION ALL SELECT v.due_from + (clock_timestamp() - v.owned_at) WHERE isfinite(v.due_from) AND v.owned_at IS NOT NULL
                    AND NOT EXISTS (SELECT FROM fleet.playhead p WHERE p.viewer = v.id)) r),
        clock_timestamp());
    DELETE FROM fleet.session;
    DELETE FROM fleet.playhead $$;

-- Partitions: makes those of today and the next two days, drops what is older than the retention. By any agent, once a minute is enough.
CREATE OR REPLACE FUNCTION fleet.keep_up() RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE s fleet.store; day date; kind text; part text; key text; news text := ''; is_young boolean; has_locks boolean := false;
BEGIN
    SELECT * INTO STRICT s FROM fleet.store;
    PERFORM FROM fleet.upkeep FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 'somebody else does'; END IF;
    -- Who waits for a lock keeps claims waiting behind it, and behind those that it has: better try again in a minute.
    SET LOCAL lock_timeout = '300ms';
    <<kinds>>
    FOR kind, key IN VALUES ('claim', 'due_at'), ('unsent', 'due_at'), ('ad', 'first_start'), ('note', 'at') LOOP
        FOR i IN -1..2 LOOP
            day := (now() AT TIME ZONE 'UTC')::date + i; part := kind || '_' || to_char(day, 'YYYYMMDD');
            CONTINUE WHEN to_regclass('fleet.' || part) IS NOT NULL;
            BEGIN
                EXECUTE format('CREATE TABLE fleet.%I (LIKE fleet.%I INCLUDING ALL) WITH (fillfactor = %s)', part, kind, CASE kind WHEN 'claim' THEN 85 ELSE 100 END);
                EXECUTE format('LOCK TABLE fleet.%I IN ACCESS EXCLUSIVE MODE', kind || '_rest');
                EXECUTE format('WITH moved AS (DELETE FROM fleet.%1$I WHERE %3$I >= %4$L AND %3$I < %5$L RETURNING *) INSERT INTO fleet.%2$I SELECT * FROM moved',
                    kind || '_rest', part, key, day || ' 00:00Z', day + 1 || ' 00:00Z');
                EXECUTE format('ALTER TABLE fleet.%I ATTACH PARTITION fleet.%I FOR VALUES FROM (%L) TO (%L)', kind, part, day || ' 00:00Z', day + 1 || ' 00:00Z');
                news := news || ' +' || part; has_locks := true;
            EXCEPTION WHEN lock_not_available THEN news := news || ' later:' || part; EXIT kinds WHEN has_locks; END;
        END LOOP;
        FOR part IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = ('fleet.' || kind)::regclass
                AND c.relname ~ '_[0-9]{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') + interval '1 day' < now() - s.retention LOOP
            -- FLT-10: a claim is kept for the retention after it was made, whatever date its event has, and its ad with it, which may begin on
            -- the day before.
            is_young := kind = 'ad' AND (to_regclass('fleet.claim_' || right(part, 8)) IS NOT NULL
                OR to_regclass('fleet.claim_' || to_char(to_date(right(part, 8), 'YYYYMMDD') + 1, 'YYYYMMDD')) IS NOT NULL);
            IF kind = 'claim' THEN EXECUTE format('SELECT EXISTS (SELECT FROM fleet.%I WHERE claimed_at >= %L)', part, now() - s.retention) INTO is_young; END IF;
            CONTINUE WHEN is_young;
            BEGIN EXECUTE format('DROP TABLE fleet.%I', part); news := news || ' -' || part; has_locks := true;
            EXCEPTION WHEN lock_not_available THEN news := news || ' later:' || part; EXIT kinds WHEN has_locks; END;
        END LOOP;
    END LOOP kinds;
    DELETE FROM fleet.claim_rest WHERE ctid = ANY (ARRAY(SELECT ctid FROM fleet.claim_rest WHERE claimed_at < now() - s.retention LIMIT 5000));
    DELETE FROM fleet.unsent_rest WHERE ctid = ANY (ARRAY(SELECT ctid FROM fleet.unsent_rest WHERE at < now() - s.retention LIMIT 5000));
    -- When no claim that is kept names it: agents name an ad again before it is a day since they did. Those of earlier programs name it once:
    -- no ad ends while there may be claims of such an agent, whose row is kept as long as they are.
    IF NOT EXISTS (SELECT FROM fleet.agent a WHERE NOT a.load ? 'namesAdsAgain') THEN
        DELETE FROM fleet.ad_rest WHERE ctid = ANY (ARRAY(SELECT ctid FROM fleet.ad_rest
            WHERE named_at < now() - s.retention - interval '1 day' LIMIT 5000));
    END IF;
    -- A note has the time of its agent's clock, which may be wrong either way.
    DELETE FROM fleet.note_rest WHERE ctid = ANY (ARRAY(SELECT ctid FROM fleet.note_rest
        WHERE at NOT BETWEEN now() - s.retention AND now() + s.retention LIMIT 5000));
    DELETE FROM fleet.agent a WHERE a.fenced_at < now() - s.retention AND NOT EXISTS (SELECT FROM fleet.viewer v WHERE v.owner = a.id);
    UPDATE fleet.upkeep SET at = now(), said = news; RETURN news;
EXCEPTION WHEN lock_not_available THEN RETURN 'later';
END $$;

-- Views for people, fleet top and reports. URLs of sessions are not in them; those of beacons are, as they were sent.
CREATE OR REPLACE VIEW fleet.agents AS SELECT id, name, version, region, capacity, holding, place, pid, started_at, beat_at, load,
    CASE WHEN ended THEN 'ended' WHEN fenced_at IS NOT NULL THEN 'fenced' WHEN lease_until < clock_timestamp() THEN 'silent'
    WHEN drain THEN 'draining' ELSE 'alive' END AS state, protocol, fenced_at FROM fleet.agent;
CREATE OR REPLACE VIEW fleet.viewers AS SELECT v.id AS viewer, c.name AS channel, c.labels, v.region, v.number, v.epoch, a.name AS agent, v.owned_at,
    CASE WHEN v.owner IS NULL THEN 'waiting' WHEN a.fenced_at IS NOT NULL THEN 'orphaned' ELSE coalesce(h.phase, 'starting') END AS phase,
    h.at, h.problem, h.due, h.sent, h.acknowledged, h.failed, h.unknown, h.worst_late_ms, h.poll_age_ms,
    CASE WHEN v.owner IS NULL THEN coalesce(v.owned_at, c.added_at) WHEN a.fenced_at IS NOT NULL THEN a.fenced_at END AS without_agent_since,
    x.provider, x.service_mode
    FROM fleet.viewer v JOIN fleet.channel c ON c.id = v.channel LEFT JOIN fleet.agent a ON a.id = v.owner
    -- What a former owner wrote is no news of this one; whose stream it is stays.
    LEFT JOIN fleet.health h ON h.viewer = v.id AND h.at >= v.owned_at
    LEFT JOIN fleet.health x ON x.viewer = v.id WHERE v.removed_at IS NULL;
CREATE OR REPLACE VIEW fleet.beacons AS SELECT c.viewer, n.name AS channel, c.due_at, c.type, h.name AS host, c.url, c.attempt, c.status, c.claimed_at, c.late_ms, c.took_ms,
    CASE c.state WHEN 'a' THEN 'acknowledged' WHEN 'r' THEN 'rejected' WHEN 'f' THEN 'failed' WHEN 's' THEN 'skipped' ELSE 'unknown' END AS state
    FROM fleet.claim c JOIN fleet.viewer v ON v.id = c.viewer JOIN fleet.channel n ON n.id = v.channel LEFT JOIN fleet.host h ON h.id = c.host;
CREATE OR REPLACE VIEW fleet.pictures AS SELECT viewer, at, snapshot FROM fleet.picture;
CREATE OR REPLACE VIEW fleet.stores AS SELECT s.*, u.at AS upkeep_at, u.said AS upkeep_said,
    (SELECT count(*) FROM fleet.channel c WHERE c.removed_at IS NULL) AS channels   -- of the list, also those without viewers
    FROM fleet.store s, fleet.upkeep u;
-- The report: each beacon once, as its last try, by channel and host; of one channel also by viewer and ad (a fleet has too many to list).
-- Lateness: counts up to each of 100, 250, 500, 1000, 2500, 5000, 10000, 30000 ms, and above. PL/pgSQL, because RETURN QUERY may run in parallel.
CREATE OR REPLACE FUNCTION fleet.report(p_from timestamptz, p_to timestamptz, p_channel text DEFAULT NULL)
RETURNS TABLE (channel text, viewer int, ad bigint, host text, sent bigint, acknowledged bigint, rejected bigint, failed bigint, skipped bigint,
    unknown bigint, late bigint[], late_sum_ms bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET work_mem = '64MB' SET parallel_tuple_cost = 0.001 AS $$
DECLARE which int[] := ARRAY(SELECT v.id FROM fleet.viewer v JOIN fleet.channel c ON c.id = v.channel WHERE c.name = p_channel); fine boolean := p_channel IS NOT NULL;
    sums text := $q$ SELECT n.name, CASE WHEN $3 THEN g.viewer END, CASE WHEN $3 THEN g.ad END, h.name, sum(g.n)::bigint,
        coalesce(sum(g.n) FILTER (WHERE g.state = 'a'), 0)::bigint, coalesce(sum(g.n) FILTER (WHERE g.state = 'r'), 0)::bigint, coalesce(sum(g.n) FILTER (WHERE g.state = 'f'), 0)::bigint,
        coalesce(sum(g.n) FILTER (WHERE g.state = 's'), 0)::bigint, coalesce(sum(g.n) FILTER (WHERE coalesce(g.state, 'u') = 'u'), 0)::bigint,
        ARRAY[%s], sum(g.ms)::bigint
    FROM (SELECT c.viewer, %s AS ad, c.host, c.state, width_bucket(c.late_ms - 1, '{100,250,500,1000,2500,5000,10000,30000}'::int[]) AS bound,
            count(*) AS n, sum(c.late_ms) AS ms FROM fleet.claim c WHERE c.due_at >= $1 AND c.due_at < $2
                AND (c.due_at < '10000-01-01' OR c.claimed_at >= $1)   -- of what has no date, beyond all media dates (FLT-3): when it was claimed
                AND NOT c.superseded %s GROUP BY 1, 2, 3, 4, 5) g
        JOIN fleet.viewer v ON v.id = g.viewer JOIN fleet.channel n ON n.id = v.channel LEFT JOIN fleet.host h ON h.id = g.host GROUP BY 1, 2, 3, 4 $q$;
BEGIN
    RETURN QUERY EXECUTE format(sums, (SELECT string_agg(format('coalesce(sum(g.n) FILTER (WHERE g.bound = %s), 0)::bigint', b), ', ') FROM generate_series(0, 8) b),
        CASE WHEN fine THEN 'c.ad' ELSE '0::bigint' END, CASE WHEN fine THEN 'AND c.viewer = ANY ($4)' ELSE '' END) USING p_from, p_to, fine, which;
END $$;

-- What was due and not sent, beside the sums of claims: no beacon that was claimed, such as one that an agent without a lease only observed and its
-- successor sent. By channel, host and bound of lateness, which is null where nothing was observed; of one channel also by viewer and ad.
CREATE OR REPLACE FUNCTION fleet.report_unsent(p_from timestamptz, p_to timestamptz, p_channel text DEFAULT NULL)
RETURNS TABLE (channel text, viewer int, ad bigint, host text, bound int, observed bigint, skipped bigint, late_sum_ms bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET work_mem = '64MB' AS $$
BEGIN
    RETURN QUERY SELECT n.name, CASE WHEN p_channel IS NOT NULL THEN u.viewer END, CASE WHEN p_channel IS NOT NULL THEN u.ad END, h.name,
        width_bucket(CASE WHEN u.state = 'o' THEN u.late_ms - 1 END, '{100,250,500,1000,2500,5000,10000,30000}'::int[]),
        count(*) FILTER (WHERE u.state = 'o'), count(*) FILTER (WHERE u.state = 's'), sum(u.late_ms) FILTER (WHERE u.state = 'o')
    FROM fleet.unsent u JOIN fleet.viewer v ON v.id = u.viewer JOIN fleet.channel n ON n.id = v.channel LEFT JOIN fleet.host h ON h.id = u.host
    WHERE u.due_at >= p_from AND u.due_at < p_to AND (u.due_at < '10000-01-01' OR u.at >= p_from) AND (p_channel IS NULL OR n.name = p_channel)
        AND NOT EXISTS (SELECT FROM fleet.claim c WHERE c.due_at >= p_from AND c.due_at < p_to
            AND (c.viewer, c.due_at, c.beacon) = (u.viewer, u.due_at, u.beacon))
    GROUP BY 1, 2, 3, 4, 5;
END $$;

-- The ads of a channel's beacons by id, for the report of one channel.
CREATE OR REPLACE FUNCTION fleet.report_ads(p_from timestamptz, p_to timestamptz, p_channel text) RETURNS SETOF fleet.ad LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    SELECT a.* FROM fleet.channel c JOIN fleet.viewer v ON v.channel = c.id JOIN fleet.ad a ON a.viewer = v.id
    -- Ads without a date, such as those of pings, have the first one.
    WHERE c.name = p_channel AND (a.first_start >= p_from - interval '1 day' AND a.first_start < p_to OR a.first_start = 'epoch') $$;

-- The findings of sessions, as the report of a journal has them: each rule once, with the words of the newest.
CREATE OR REPLACE FUNCTION fleet.report_findings(p_from timestamptz, p_channel text DEFAULT NULL)
RETURNS TABLE (rule text, severity text, message text, count bigint, first_at timestamptz, last_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT n.rule, n.level, (array_agg(n.words ORDER BY n.at DESC))[1], count(*), min(n.at), max(n.at) FROM fleet.note n
    WHERE n.kind = 'finding' AND n.at >= p_from AND (p_channel IS NULL
        OR n.viewer IN (SELECT v.id FROM fleet.viewer v JOIN fleet.channel c ON c.id = v.channel WHERE c.name = p_channel))
    GROUP BY n.rule, n.level ORDER BY n.level <> 'error', n.level <> 'warning', count(*) DESC, n.rule $$;
