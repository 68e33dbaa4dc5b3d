/**
 * Why the cluster, or a dump of it, could not be read. Messages are for people: what happened, where, what to do next.
 */

export type ReadErrorCode =
  /** No kubeconfig, or not the context asked for. */
  | "kubeconfig"
  /** The kubeconfig's credentials could not be had: a missing file, a failing exec plugin. */
  | "credentials"
  | "refused"
  | "dns"
  | "tls"
  | "timeout"
  | "disconnected"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  /** The rest of a paged list is gone. */
  | "expired"
  | "throttled"
  | "server-error"
  /** Something that is not, or not right for, the Kubernetes API. */
  | "malformed"
  | "incomplete";

/** A read that gave no snapshot. Nothing is ever planned from half of one. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;

  constructor(code: ReadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ReadError";
    this.code = code;
  }
}
