/**
 * The custom resources of the ClickHouse operator (clickhouse.com), as far as scaling them needs: sizes, status, and what their
 * pods ask of nodes. Field names and defaults are those of its API v1alpha1.
 */
import type { ClickHouseCluster, Condition, KeeperCluster, OperatorStatus, PodTemplate } from "../snapshot.ts";
import { Field } from "./field.ts";
import { managersOf, ownedObject } from "./metadata.ts";
import { podTemplate } from "./template.ts";

const API_VERSION = "clickhouse.com/v1alpha1";
const DEFAULT_REPLICAS = 3;
const DEFAULT_SHARDS = 1;
/** What the operator requests for a container of which the resource says nothing. */
const DEFAULT_RESOURCES = { requests: { cpu: "250m", memory: "512Mi" } };

export function keeperCluster(object: Field): KeeperCluster {
  const spec = object.get("spec");
  const podSpec = spec.get("podTemplate");
  const metadata = object.get("metadata");
  return {
    ...ownedObject(object, "replicas"),
    apiVersion: object.get("apiVersion").text(API_VERSION) || API_VERSION,
    uid: metadata.get("uid").text(""),
    generation: metadata.get("generation").whole(0),
    replicas: spec.get("replicas").whole(DEFAULT_REPLICAS),
    template: template(object),
    hostnameKey: podSpec.get("nodeHostnameKey").text(""),
    zoneKey: podSpec.get("topologyZoneKey").text(""),
    status: operatorStatus(object.get("status")),
  };
}

export function clickHouseCluster(object: Field): ClickHouseCluster {
  const spec = object.get("spec");
  const cluster = keeperCluster(object);
  const keeper = spec.get("keeperClusterRef");
  const sync = spec.get("settings").get("enableDatabaseSync");
  return {
    ...cluster,
    shards: spec.get("shards").whole(DEFAULT_SHARDS),
    shardsManagers: managersOf(object, "shards"),
    keeper: keeper.get("name").exists
      ? { namespace: keeper.get("namespace").text("") || cluster.namespace, name: keeper.get("name").text() }
      : null,
    databaseSync: sync.exists ? sync.flag() : true,
  };
}

function operatorStatus(status: Field): OperatorStatus {
  const generation = (field: Field) => (field.exists ? field.whole() : null);
  return {
    observedGeneration: generation(status.get("observedGeneration")),
    currentRevision: status.get("currentRevision").text(""),
    updateRevision: status.get("updateRevision").text(""),
    readyReplicas: status.get("readyReplicas").whole(0),
    conditions: status
      .get("conditions")
      .items()
      .map(
        (condition): Condition => ({
          type: condition.get("type").text(""),
          status: condition.get("status").text(""),
          reason: condition.get("reason").text(""),
          message: condition.get("message").text(""),
          observedGeneration: generation(condition.get("observedGeneration")),
          since: condition.get("lastTransitionTime").time(),
        }),
      ),
  };
}

/** What a pod asks of its node: the parts of it that the resource states, the rest as the operator fills it in. */
function template(object: Field): PodTemplate {
  const spec = object.get("spec");
  const pod = spec.get("podTemplate");
  const container = spec.get("containerTemplate");
  const resources = container.get("resources");
  const isStated = resources.get("requests").exists || resources.get("limits").exists;
  const stated = Object.fromEntries(
    ["nodeSelector", "affinity", "tolerations", "topologySpreadConstraints"].map((key) => [key, pod.get(key).value]),
  );
  const containers = [{ name: "server", resources: isStated ? resources.value : DEFAULT_RESOURCES }];
  const { namespace, name } = ownedObject(object, "replicas");
  return podTemplate(Field.root({ spec: { ...stated, containers } }, `${namespace}/${name}, its pods`));
}
