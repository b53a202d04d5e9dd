-- The first rows of a new store: the server is the one that made it.
INSERT INTO fleet.store DEFAULT VALUES;
INSERT INTO fleet.upkeep DEFAULT VALUES;
SELECT fleet.server_accept('single');
SELECT fleet.keep_up();
