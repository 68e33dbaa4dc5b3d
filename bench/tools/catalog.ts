import path from "node:path";
import { kubernetesProvider, kubernetesProviderVersion } from "./kubernetes-provider.ts";
import type { PatchedModule } from "./patched-module.ts";

/** The tools that the bench may build; each is the name of its binary. */
export type ToolName =
  | "pulumi"
  | "pulumi-language-nodejs"
  | "pulumi-resource-kubernetes"
  | "etcd"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kube-scheduler"
  | "kwok";

export interface Tool {
  name: ToolName;
  version: string;
  /** The main package, as `go build` is told it. */
  package: string;
  /** What `go build` calls the binary, where it is not the tool's name. */
  built?: string;
}

/** Tools that one Go module holds, built by one `go build`, so that what they share is compiled once. */
export interface ToolSet {
  name: string;
  /** Holds go.mod, go.sum and the little Go that is ours. */
  folder: string;
  tools: Tool[];
  /** `-X` settings: a variable that no package of a binary has is ignored, so one list serves the whole set. */
  variables: Record<string, string>;
  /** A module that has to be copied and changed before it compiles with the others. */
  patched?: PatchedModule;
}

/** Agrees with the version of `@pulumi/pulumi` in package.json. */
export const pulumiVersion = "3.276.0";

const kubernetesVersion = "1.36.3";
const [kubernetesMajor = "", kubernetesMinor = ""] = kubernetesVersion.split(".");

const sets = path.join(import.meta.dirname, "sets");

export const toolSets: ToolSet[] = [
  {
    // All in one module: what Pulumi's provider, kwok and the control plane share of Kubernetes, and the CLI and the
    // provider of Pulumi, is most of the work, and is compiled once.
    name: "main",
    folder: path.join(sets, "main"),
    // In this order, because `go build` compiles what the first one needs first: of all these the CLI is the tallest tower
    // of packages, which one core builds alone if it comes last.
    tools: [
      { name: "pulumi", version: pulumiVersion, package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
      {
        name: "pulumi-resource-kubernetes",
        version: kubernetesProviderVersion,
        package: "./pulumi-resource-kubernetes",
      },
      kubernetes("kube-apiserver"),
      kubernetes("kube-controller-manager"),
      kubernetes("kube-scheduler"),
      { name: "kwok", version: "0.8.0", package: "sigs.k8s.io/kwok/cmd/kwok" },
      { name: "etcd", version: "3.7.3", package: "go.etcd.io/etcd/server/v3", built: "server" },
    ],
    variables: {
      "k8s.io/component-base/version.gitVersion": `v${kubernetesVersion}`,
      "k8s.io/component-base/version.gitMajor": kubernetesMajor,
      "k8s.io/component-base/version.gitMinor": kubernetesMinor,
      "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": `v${pulumiVersion}`,
      "github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version.Version": kubernetesProviderVersion,
    },
    patched: kubernetesProvider,
  },
  {
    // Pulumi's host for Node.js has become a module of its own that no proxy serves. This is the last version of the SDK
    // that still holds it.
    name: "language-host",
    folder: path.join(sets, "language-host"),
    tools: [
      {
        name: "pulumi-language-nodejs",
        version: "3.68.0",
        package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
      },
    ],
    variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": "v3.68.0" },
  },
];

function kubernetes(name: ToolName): Tool {
  return { name, version: kubernetesVersion, package: `k8s.io/kubernetes/cmd/${name}` };
}
