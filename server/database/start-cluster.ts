// The embedded Postgres as the rest of the house sees it: start it, get addresses, stop it.
// How the cluster is made, owned and taken over is told in embedded/.

export { DirectoryInUse } from './embedded/lock-directory.ts';
export { type Cluster, type ClusterOptions, startCluster } from './embedded/run-cluster.ts';
