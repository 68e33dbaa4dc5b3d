import { type ClusterRecord, clusterDir } from "../../bench/cluster/registry.ts";

/** A record of a cluster of which nothing runs. */
export function record(root: string, name: string): ClusterRecord {
  return {
    name,
    dir: clusterDir(root, name),
    startedBy: { pid: 1, start: "1" },
    keep: false,
    ports: { etcdClient: 1, etcdPeer: 2, apiServer: 3 },
    binaries: { etcd: "", "kube-apiserver": "", "kube-controller-manager": "", "kube-scheduler": "", kwok: "" },
    audit: false,
    aggregation: false,
    apiServerArgs: [],
    controllerManagerArgs: [],
    tokens: { admin: "", "kube-controller-manager": "", "kube-scheduler": "", kwok: "" },
    running: {},
  };
}
