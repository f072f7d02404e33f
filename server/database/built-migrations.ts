// Names of our migrations at the time the server was built. The build puts them in here (scripts/build.mjs); a server that
// runs from its sources has none, and takes what is in sql/.

export const builtMigrations: readonly string[] | null = null;
