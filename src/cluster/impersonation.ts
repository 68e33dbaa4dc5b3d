/** Whom a kubeconfig wants to act as: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation */
import { ReadError } from "./errors.ts";
import type { Login } from "./kubeconfig-file.ts";

/**
 * The headers that say so, as client-go sends them (impersonatingRoundTripper): all of them, since with the name alone the plan would be
 * made with fewer rights than the provider's patches.
 *
 * @throws ReadError (`kubeconfig`) where there are groups, a UID or extra, and nobody whose they are.
 */
export function impersonationHeaders(user: Login | null, context: string): Record<string, string | string[]> {
  if (user === null) return {};
  const { uid, groups, extra } = user.impersonation;
  const headers = {
    ...(uid ? { "Impersonate-Uid": uid } : {}),
    ...(groups.length > 0 ? { "Impersonate-Group": groups } : {}),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`Impersonate-Extra-${escaped(key)}`, values])),
  };
  if (user.impersonateUser) return { "Impersonate-User": user.impersonateUser, ...headers };
  if (Object.keys(headers).length === 0) return {};
  throw new ReadError(
    "kubeconfig",
    `Context ${context}: user ${user.name} has as-uid, as-groups or as-user-extra without as. Name in as the user to impersonate, or leave them out`,
  );
}

/** What the name of a header can't hold; the API server takes any other character escaped too. */
function escaped(key: string): string {
  return encodeURIComponent(key).replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));
}
