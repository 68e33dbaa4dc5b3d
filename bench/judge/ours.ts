/** Our word on the scenarios of a wave: what the live reader reads, planned. */
import { readSnapshot } from "../../src/cluster/read.ts";
import type { Pod } from "../../src/cluster/snapshot.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { explain, type NodeVerdict } from "../../src/plan/explain.ts";
import { plan } from "../../src/plan/index.ts";
import type { PlanEntry } from "../../src/plan/plan.ts";
import { APP } from "./arbitrary.ts";
import type { Scenario } from "./scenario.ts";

export interface Word {
  planned: PlanEntry;
  /** The verdicts on the scenario's own nodes. */
  nodes: NodeVerdict[];
  /** The pods that stood there, as the reader gave them. */
  pods: Pod[];
}

export async function ourWord(kubeconfig: string, scenarios: Scenario[]): Promise<Map<Scenario, Word>> {
  const settings = parseSettings({
    // A machine that runs a control plane beside the test may be slow.
    readTimeoutSeconds: 120,
    requestTimeoutSeconds: 60,
    workloads: scenarios.map(({ names }) => ({ namespace: names.namespace, name: APP, max: 1000 })),
  });
  const snapshot = await readSnapshot({ kubeconfig }, settings);
  const { workloads } = plan(snapshot, settings);
  return new Map(
    scenarios.map((scenario, i) => {
      const own = new Set(scenario.nodes.map(({ metadata }) => metadata.name));
      const nodes = explain(snapshot, settings, `${scenario.names.namespace}/${APP}`);
      return [
        scenario,
        {
          planned: workloads[i] as PlanEntry,
          nodes: nodes.filter(({ node }) => own.has(node)),
          pods: snapshot.pods.filter(
            ({ nodeName, namespace }) => own.has(nodeName) || namespace === scenario.names.namespace,
          ),
        },
      ];
    }),
  );
}
