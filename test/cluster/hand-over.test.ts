import { describe, expect, test } from "vitest";
import type { ApiRequest } from "../../src/cluster/client.ts";
import { ReadError } from "../../src/cluster/errors.ts";
import { type HandedOver, handOver } from "../../src/cluster/hand-over.ts";
import { ConflictError, type Send } from "../../src/cluster/send.ts";

const PATH = "/apis/apps/v1/namespaces/dev/deployments/gitea";
const OPTIONS = { namespace: "dev", name: "gitea", from: "cluster-scale", to: "next" };
const COUNT = { "f:spec": { "f:replicas": {} } };
const manager = (name: string, fieldsV1: object, operation = "Apply") => ({ manager: name, operation, fieldsV1 });
const OURS = manager("cluster-scale", COUNT);

/** A Deployment that changes `conflicts` times between a look and the patch. */
async function handed(managedFields: object[], conflicts = 0): Promise<{ end: HandedOver; sent: ApiRequest[] }> {
  const sent: ApiRequest[] = [];
  let version = 1;
  const send = async (request: ApiRequest) => {
    sent.push(request);
    if (request.method === "PATCH" && version <= conflicts) {
      version += 1;
      throw new ConflictError("server-error", "modified");
    }
    return { metadata: { resourceVersion: `${version}`, managedFields }, spec: { replicas: 3 } };
  };
  return { end: await handOver(send as Send, OPTIONS), sent };
}

const patch = (fieldManager: string, metadata: object, spec: object = {}) => ({
  method: "PATCH",
  path: `${PATH}?fieldManager=${fieldManager}`,
  contentType: "application/apply-patch+yaml",
  body: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...metadata, namespace: "dev", name: "gitea" },
    ...spec,
  },
});

describe("handOver", () => {
  test("the next manager takes the count at its value before ours lets go", async () => {
    const { end, sent } = await handed([OURS]);
    expect(end).toEqual({ result: "released", replicas: 3 });
    expect(sent).toEqual([
      { method: "GET", path: PATH },
      patch("next", { resourceVersion: "1" }, { spec: { replicas: 3 } }),
      patch("cluster-scale", {}),
    ]);
  });

  test("looks again where the object changed in between", async () => {
    const { end, sent } = await handed([OURS], 2);
    expect(end).toEqual({ result: "released", replicas: 3 });
    expect(sent.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "PATCH", "GET", "PATCH", "PATCH"]);
  });

  test("gives up on one that never keeps still, with ours still holding it", async () => {
    await expect(handed([OURS], 99)).rejects.toThrow(ConflictError);
  });

  test.each<[string, object[], HandedOver]>([
    ["nobody's", [], { result: "not-held", holders: [] }],
    ["somebody else's", [manager("kubectl", COUNT, "Update")], { result: "not-held", holders: ["kubectl"] }],
    [
      "ours by its annotations alone",
      [manager("cluster-scale", { "f:metadata": {} })],
      { result: "not-held", holders: [] },
    ],
    [
      "to go to who applies the rest of the object",
      [OURS, manager("next", { "f:spec": { "f:template": {} } })],
      { result: "taken" },
    ],
  ])("sends nothing where the count is %s", async (_whose, fields, expected) => {
    const { end, sent } = await handed(fields);
    expect(end).toEqual(expected);
    expect(sent).toHaveLength(1);
  });

  test("goes on where it was interrupted after the first step", async () => {
    expect((await handed([OURS, manager("next", COUNT)])).end).toEqual({ result: "released", replicas: 3 });
  });

  test("a Deployment that isn't there", async () => {
    const send = () => Promise.reject(new ReadError("not-found", "404"));
    expect(await handOver(send, OPTIONS)).toEqual({ result: "missing" });
  });
});
