-- The rights of the roles that exist: no role touches a table. Agents and operators call functions, readers look at views.
REVOKE ALL ON SCHEMA fleet FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fleet FROM PUBLIC;
DO $$
DECLARE f text; r text;
BEGIN
    FOR r, f IN SELECT x.r, p.oid::regprocedure::text FROM pg_proc p JOIN (VALUES
        ('adtop_agent', '{agent_start,agent_beat,agent_end,viewers_take,viewers_of,viewers_unwanted,viewers_give,claims_of,claims_after,ads_of,claim,outcomes,ads_add,hosts,sessions_save,sessions_save_2,playheads_save,
            playheads_save_2,health_save,unsent_add,notes_add,picture_save,channels_changed,keep_up,server,schema_version,functions_version}'::text[]),
        ('adtop_operator', '{channels_add,channels_remove,agent_drain,mode_set,watch,report,report_unsent,report_ads,report_findings,channels_changed,server,schema_version,functions_version}'),
        ('adtop_reader', '{report,report_unsent,report_ads,report_findings,server,schema_version,functions_version}')) AS x(r, names)
        ON p.proname = ANY (x.names) WHERE p.pronamespace = 'fleet'::regnamespace AND EXISTS (SELECT FROM pg_roles WHERE rolname = x.r) LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA fleet TO %I', r); EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, r);
        IF r <> 'adtop_agent' THEN EXECUTE format('GRANT SELECT ON fleet.agents, fleet.viewers, fleet.beacons, fleet.pictures, fleet.stores TO %I', r); END IF;
    END LOOP;
    -- Who may not change roles leaves them: what is unsafe without these settings, each call asks for itself.
    FOR r IN SELECT rolname FROM pg_roles WHERE rolname IN ('adtop_agent', 'adtop_operator', 'adtop_reader') LOOP
        BEGIN
            EXECUTE format('ALTER ROLE %I IN DATABASE %I SET default_transaction_isolation = ''read committed''', r, current_database());
            EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = ''5s''', r, current_database());
        EXCEPTION WHEN insufficient_privilege THEN NULL; END;
    END LOOP;
END $$;
