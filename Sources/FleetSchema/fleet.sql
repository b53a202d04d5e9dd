-- The tables of the store of an adtop fleet, schema version 1 (docs/fleet.md and docs/rules/fleet.md explain it). PostgreSQL 14 or later; adtop fleet
-- init runs this once, as the owner of the database, in one transaction with functions.sql, first.sql, and rights.sql, which gives the roles their
-- rights. Migration: version N+1 only adds (columns with defaults, functions under new names).

CREATE SCHEMA fleet;
CREATE TABLE fleet.store (                      -- one row
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    schema_version int NOT NULL DEFAULT 1, protocol_min int NOT NULL DEFAULT 1, protocol_max int NOT NULL DEFAULT 1,
    state_version smallint NOT NULL DEFAULT 1,  -- of saved sessions: what every agent at work can read
    mode text NOT NULL DEFAULT 'observe' CHECK (mode IN ('fire', 'observe')),   -- observe: no claim is granted, whatever a channel says
    durability text NOT NULL DEFAULT 'single' CHECK (durability IN ('strict', 'trusted', 'single')),
    system_id text, timeline text,              -- of the server, as last accepted
    lease interval NOT NULL DEFAULT '8 s', beat interval NOT NULL DEFAULT '2 s',
    lookback interval NOT NULL DEFAULT '3 h',   -- media time before the playhead whose claims a successor reads
    retention interval NOT NULL DEFAULT '7 d', moves int NOT NULL DEFAULT 25, takes int NOT NULL DEFAULT 200);
CREATE TABLE fleet.upkeep (one boolean PRIMARY KEY DEFAULT true CHECK (one), at timestamptz, said text);
CREATE SEQUENCE fleet.change;                   -- raised by every change of the list, while its table is locked: agents hear committed numbers

CREATE TABLE fleet.agent (                      -- one row for each start of a process: an incarnation
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL, version text NOT NULL, protocol int NOT NULL, region text NOT NULL DEFAULT '',
    capacity int NOT NULL CHECK (capacity > 0), place text NOT NULL, pid int NOT NULL,   -- place: host and state folder, locked by the process
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(), beat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_until timestamptz NOT NULL, steady_since timestamptz NOT NULL DEFAULT clock_timestamp(),
    fenced_at timestamptz, fenced_by bigint, ended boolean NOT NULL DEFAULT false, drain boolean NOT NULL DEFAULT false,
    holding int NOT NULL DEFAULT 0, load jsonb) WITH (fillfactor = 50);
CREATE UNIQUE INDEX agent_name ON fleet.agent (name) WHERE fenced_at IS NULL;

CREATE TABLE fleet.channel (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, url text NOT NULL, options jsonb NOT NULL DEFAULT '{}',
    labels text[] NOT NULL DEFAULT '{}', regions text[] NOT NULL DEFAULT '{""}',   -- '' is any region
    viewers smallint NOT NULL DEFAULT 1 CHECK (viewers BETWEEN 0 AND 1000),        -- in each region
    change bigint NOT NULL DEFAULT nextval('fleet.change'), added_at timestamptz NOT NULL DEFAULT now(), removed_at timestamptz);
CREATE UNIQUE INDEX ON fleet.channel (name) WHERE removed_at IS NULL;
CREATE INDEX ON fleet.channel (change);

CREATE TABLE fleet.viewer (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, channel int NOT NULL REFERENCES fleet.channel, region text NOT NULL, number smallint NOT NULL,
    owner bigint REFERENCES fleet.agent, epoch int NOT NULL DEFAULT 0,             -- raised by every take and give
    due_from timestamptz NOT NULL DEFAULT '-infinity',                             -- in this epoch nothing due earlier is claimed (FLT-3, FLT-16)
    owned_at timestamptz,                                                          -- when the owner changed
    removed_at timestamptz, watched_until timestamptz, UNIQUE (channel, region, number)) WITH (fillfactor = 60);
CREATE INDEX ON fleet.viewer (owner);
CREATE INDEX viewer_free ON fleet.viewer (region) WHERE owner IS NULL AND removed_at IS NULL;

CREATE TABLE fleet.session (                    -- what is handed on; rewritten when the session changes
    viewer int PRIMARY KEY REFERENCES fleet.viewer, epoch int NOT NULL, version smallint NOT NULL,
    sealed boolean NOT NULL, state bytea NOT NULL, saved_at timestamptz NOT NULL,
    call bigint NOT NULL DEFAULT 0);            -- the number of the call of the owner's that saved it
CREATE TABLE fleet.playhead (                   -- when its motion changed, and every 20 s
    viewer int PRIMARY KEY REFERENCES fleet.viewer, epoch int NOT NULL, media timestamptz NOT NULL, at timestamptz NOT NULL,
    rate real NOT NULL, call bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50);
CREATE TABLE fleet.health (                     -- how a viewer is: a row of the table on the screen
    viewer int PRIMARY KEY REFERENCES fleet.viewer, agent bigint NOT NULL, at timestamptz NOT NULL, phase text NOT NULL,
    problem text, due int NOT NULL, sent int NOT NULL, acknowledged int NOT NULL, failed int NOT NULL, unknown int NOT NULL,
    worst_late_ms int, poll_age_ms int, provider text, service_mode text) WITH (fillfactor = 50);
CREATE TABLE fleet.picture (                    -- adtop-snapshot/1 of a viewer that a person watches
    viewer int PRIMARY KEY REFERENCES fleet.viewer, at timestamptz NOT NULL, snapshot text NOT NULL);
CREATE TABLE fleet.host (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);

CREATE TABLE fleet.ad (                         -- written with the first claim of an ad; id: 8 bytes of the hash of break, ad and first_start
    viewer int NOT NULL, first_start timestamptz NOT NULL, id bigint NOT NULL, ad text NOT NULL, duration_ms int,
    break text NOT NULL, break_start timestamptz, break_ms int, source text,
    named_at timestamptz NOT NULL DEFAULT now(),       -- when a claim named it last, at most a day ago
    PRIMARY KEY (viewer, first_start, id)) PARTITION BY RANGE (first_start);
CREATE TABLE fleet.claim (
    due_at timestamptz NOT NULL,                -- the event's start when this owner first saw it: part of the exact identity
    claimed_at timestamptz NOT NULL, ad bigint NOT NULL, beacon uuid NOT NULL,   -- 16 bytes of SHA-256 of what the beacon is
    viewer int NOT NULL, epoch int NOT NULL, number int NOT NULL, host int NOT NULL, late_ms int, took_ms int,
    round smallint NOT NULL, attempt smallint NOT NULL, status smallint, superseded boolean NOT NULL DEFAULT false,   -- a later try exists
    state "char" CHECK (state IN ('a', 'r', 'f', 'u', 's')),   -- acknowledged, rejected, failed, unknown, skipped; null: no outcome yet = unknown
    type text NOT NULL, url text NOT NULL, PRIMARY KEY (viewer, due_at, beacon, round, attempt)) PARTITION BY RANGE (due_at);
CREATE TABLE fleet.unsent (                     -- due, and not sent
    due_at timestamptz NOT NULL, at timestamptz NOT NULL, ad bigint NOT NULL, beacon uuid NOT NULL, viewer int NOT NULL, host int NOT NULL,
    late_ms int, state "char" NOT NULL CHECK (state IN ('o', 's')), reason text, type text NOT NULL, url text NOT NULL,
    PRIMARY KEY (viewer, due_at, beacon)) PARTITION BY RANGE (due_at);
CREATE TABLE fleet.note (at timestamptz NOT NULL, viewer int, agent bigint, kind text NOT NULL, level text, rule text, words text NOT NULL)
    PARTITION BY RANGE (at);
CREATE TABLE fleet.ad_rest PARTITION OF fleet.ad DEFAULT;
CREATE TABLE fleet.claim_rest PARTITION OF fleet.claim DEFAULT WITH (fillfactor = 85);
CREATE TABLE fleet.unsent_rest PARTITION OF fleet.unsent DEFAULT;
CREATE TABLE fleet.note_rest PARTITION OF fleet.note DEFAULT;
CREATE INDEX claim_made ON fleet.claim USING brin (claimed_at);
CREATE INDEX ad_named ON fleet.ad_rest USING brin (named_at);
CREATE INDEX ON fleet.note (viewer, at);
