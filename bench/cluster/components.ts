import { clusterFiles } from "./files.ts";
import { PROXY_USER } from "./proxy-certificate.ts";
import type { ClusterRecord, ComponentName } from "./registry.ts";

/** The arguments of a component. Everything listens on loopback alone; what need not listen does not. */
export function componentArguments(component: ComponentName, record: ClusterRecord): string[] {
  return builders[component](record);
}

/** By default these are sparing with a server that others share: some 20 requests a second. */
const unthrottled = ["--kube-api-qps=1000", "--kube-api-burst=1000"];

const builders: Record<ComponentName, (record: ClusterRecord) => string[]> = {
  etcd: ({ dir, ports }) => [
    `--data-dir=${clusterFiles(dir).etcdData}`,
    `--listen-client-urls=http://127.0.0.1:${ports.etcdClient}`,
    `--advertise-client-urls=http://127.0.0.1:${ports.etcdClient}`,
    `--listen-peer-urls=http://127.0.0.1:${ports.etcdPeer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${ports.etcdPeer}`,
    `--initial-cluster=default=http://127.0.0.1:${ports.etcdPeer}`,
    // A cluster to play with survives a killed etcd, not a power cut; waiting for the disk costs seconds at every start.
    "--unsafe-no-fsync",
    "--log-level=warn",
  ],

  "kube-apiserver": ({ dir, ports, audit, aggregation, apiServerArgs }) => {
    const files = clusterFiles(dir);
    return [
      `--etcd-servers=http://127.0.0.1:${ports.etcdClient}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.apiServer}`,
      // Loopback must be said: by default the server looks for a network interface, and fails on a machine without.
      "--advertise-address=127.0.0.1",
      "--endpoint-reconciler-type=none",
      `--cert-dir=${files.certificates}`,
      `--token-auth-file=${files.tokens}`,
      "--authorization-mode=RBAC",
      `--service-account-key-file=${files.serviceAccountPublicKey}`,
      `--service-account-signing-key-file=${files.serviceAccountKey}`,
      "--service-account-issuer=https://kubernetes.default.svc",
      "--service-cluster-ip-range=10.96.0.0/16",
      "--allow-privileged",
      ...(audit
        ? [
            `--audit-policy-file=${files.auditPolicy}`,
            `--audit-log-path=${files.auditLog}`,
            // The arrival of a request is written before it is answered: who has the answer finds it in the log.
            "--audit-log-mode=blocking",
          ]
        : []),
      ...(aggregation
        ? [
            `--proxy-client-cert-file=${files.proxyCertificate}`,
            `--proxy-client-key-file=${files.proxyKey}`,
            // An aggregated API reads these from the ConfigMap extension-apiserver-authentication, and believes what the API
            // server tells it about a user only from the bearer of that certificate.
            `--requestheader-client-ca-file=${files.proxyCertificate}`,
            `--client-ca-file=${files.proxyCertificate}`,
            `--requestheader-allowed-names=${PROXY_USER}`,
            "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
          ]
        : []),
      ...apiServerArgs,
    ];
  },

  "kube-controller-manager": ({ dir, controllerManagerArgs }) => {
    const files = clusterFiles(dir);
    return [
      `--kubeconfig=${files.kubeconfig("kube-controller-manager")}`,
      `--service-account-private-key-file=${files.serviceAccountKey}`,
      `--root-ca-file=${files.ca}`,
      "--use-service-account-credentials",
      "--leader-elect=false",
      "--secure-port=0",
      "--node-monitor-period=1s",
      // No kubelet renews a lease here, and a node is what its conditions say: the controller must not call it silent.
      "--node-monitor-grace-period=87600h",
      "--node-startup-grace-period=87600h",
      ...unthrottled,
      ...controllerManagerArgs,
    ];
  },

  "kube-scheduler": ({ dir }) => [
    `--kubeconfig=${clusterFiles(dir).kubeconfig("kube-scheduler")}`,
    "--leader-elect=false",
    "--secure-port=0",
    ...unthrottled,
  ],

  kwok: ({ dir }) => {
    const files = clusterFiles(dir);
    return [
      `--kubeconfig=${files.kubeconfig("kwok")}`,
      `--config=${files.stages}`,
      "--manage-all-nodes=false",
      "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
      "--node-lease-duration-seconds=0",
      "--cidr=10.244.0.0/16",
      "--node-ip=127.0.0.1",
    ];
  },
};
