// Nothing is called here by name: the library is loaded in front of others (LD_PRELOAD) and takes the place of fsync and
// fdatasync.
#ifndef POWER_LOSS_H
#define POWER_LOSS_H

/// The variable that names the folder with the synced content of each database file: what a disk still has after a power loss.
#define POWER_LOSS_FOLDER "POWER_LOSS_FOLDER"
/// If this variable is set, nothing is ever synced, as with `PRAGMA synchronous = OFF`.
#define POWER_LOSS_NEVER_SYNCS "POWER_LOSS_NEVER_SYNCS"
/// The variable that names a file: as soon as it exists, no sync of a database file ever ends. Its content is `x` once one hangs.
#define POWER_LOSS_HANGS "POWER_LOSS_HANGS"

#endif
