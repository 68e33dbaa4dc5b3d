import type { Cluster } from "../cluster/cluster.ts";
import type { KubeObject } from "../cluster/objects.ts";
import { waitFor } from "../cluster/wait.ts";
import { loadNamespace } from "./objects.ts";

/** Creations under way at a time: what two cores can do with. */
const AT_A_TIME = 16;

/** Creates `count` objects, several at a time; `tell` hears how many are there, about every tenth of them. */
export async function createMany(
  cluster: Cluster,
  count: number,
  object: (index: number) => KubeObject,
  tell: (done: number) => void = () => {},
): Promise<void> {
  const indices = Array.from({ length: count }, (_, index) => index).values();
  let done = 0;
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const index of indices) {
        await cluster.api.create(object(index));
        done += 1;
        if (done % Math.ceil(count / 10) === 0) tell(done);
      }
    }),
  );
}

/** Namespaces for the load, and what pods in them need to be created: the ServiceAccount that the controllers make, who may be stopped after this. */
export async function createNamespaces(cluster: Cluster, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await cluster.api.ensure({ apiVersion: "v1", kind: "Namespace", metadata: { name: loadNamespace(number) } });
  }
  for (let number = 0; number < count; number += 1) {
    const account = `/api/v1/namespaces/${loadNamespace(number)}/serviceaccounts/default`;
    await waitFor(() => cluster.api.get(account), { what: `the ServiceAccount default in ${loadNamespace(number)}` });
  }
}
