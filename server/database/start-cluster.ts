// The embedded Postgres as the rest of the server sees it: start it, get addresses, stop it.
// How the cluster is made, owned and taken over stands in embedded/.

export { DirectoryInUse } from './embedded/lock-directory.ts';
export { type Cluster, startCluster } from './embedded/run-cluster.ts';
