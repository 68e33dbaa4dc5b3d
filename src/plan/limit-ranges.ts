/** Requests and limits that a namespace's LimitRanges fill in, as admission plugin LimitRanger does. docs/semantics.md, "Room". */
import type { Container, LimitRange, PodClaims, Resources } from "../cluster/snapshot.ts";
import { podLevelRequests } from "./resources.ts";

/**
 * The claims of a template with every request and limit that creating the pod fills in: first what the API's own
 * defaults say (a limit implies its request, on the pod too), then the LimitRanges.
 */
export function withLimitRangeDefaults(claims: PodClaims, limitRanges: readonly LimitRange[]): PodClaims {
  const defaults = combine(limitRanges.map(defaultsOf));
  const fill = (container: Container): Container => ({
    ...container,
    requests: { ...defaults.requests, ...container.limits, ...container.requests },
    limits: { ...defaults.limits, ...container.limits },
  });
  return {
    ...claims,
    containers: claims.containers.map(fill),
    initContainers: claims.initContainers.map(fill),
    podRequests: podLevelRequests(claims),
  };
}

interface Defaults {
  requests: Resources;
  limits: Resources;
}

/** Of several items of one LimitRange the last says it; a default limit alone is the default request too. */
function defaultsOf({ containers }: LimitRange): Defaults {
  const limits: Resources = Object.assign({}, ...containers.map((item) => item.default));
  const requests: Resources = Object.assign(
    {},
    ...containers.map((item) => ({ ...item.default, ...item.defaultRequest })),
  );
  return { limits, requests };
}

/** Of several LimitRanges in one namespace any may be the first to fill a figure in: the largest is the careful one. */
function combine(all: readonly Defaults[]): Defaults {
  const largest = (resources: Resources[]): Resources => {
    const result: Resources = {};
    for (const [name, amount] of resources.flatMap(Object.entries)) result[name] = Math.max(result[name] ?? 0, amount);
    return result;
  };
  return { requests: largest(all.map(({ requests }) => requests)), limits: largest(all.map(({ limits }) => limits)) };
}
