import type { Application } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { namespacedName } from "./metadata.ts";

const SCALABLE_KINDS = ["Deployment", "HorizontalPodAutoscaler", "ClickHouseCluster", "KeeperCluster"];

/** An Argo CD Application. Its status may list thousands of objects; only those whose count we could plan are kept. */
export function application(object: Field): Application {
  const spec = object.get("spec");
  return {
    ...namespacedName(object),
    resources: object
      .get("status")
      .get("resources")
      .items()
      .map(objectKey)
      .filter(({ kind }) => SCALABLE_KINDS.includes(kind)),
    ignoreDifferences: spec
      .get("ignoreDifferences")
      .items()
      .map((item) => ({
        ...objectKey(item),
        jsonPointers: item.get("jsonPointers").texts(),
        jqPathExpressions: item.get("jqPathExpressions").texts(),
        managedFieldsManagers: item.get("managedFieldsManagers").texts(),
      })),
    respectsIgnoreDifferences: spec
      .get("syncPolicy")
      .get("syncOptions")
      .texts()
      .includes("RespectIgnoreDifferences=true"),
  };
}

function objectKey(item: Field): { group: string; kind: string; namespace: string; name: string } {
  const text = (key: string) => item.get(key).text("");
  return { group: text("group"), kind: text("kind"), namespace: text("namespace"), name: text("name") };
}
