/** What went wrong between us and the API server, in words for people: what happened, with whom, what to do next. */
import { ReadError, type ReadErrorCode } from "./errors.ts";

/** Who was asked, without credentials. */
export interface Endpoint {
  /** The URL. */
  server: string;
  context: string;
}

const CHOOSE = "or choose another context";

export function titleOf({ server, context }: Endpoint): string {
  return `The API server ${server} (context ${context})`;
}

/** A request that took longer than it may. */
export function timeoutError(endpoint: Endpoint, request: string, seconds: number): ReadError {
  return new ReadError(
    "timeout",
    `${titleOf(endpoint)} did not answer ${request} within ${seconds} s (requestTimeoutSeconds). ` +
      "Check that it is alive and reachable from here (VPN, firewall), or raise the timeout",
  );
}

/** A connection that could not be made or broke; `error` is Node's. */
export function connectionError(endpoint: Endpoint, request: string, error: NodeJS.ErrnoException): ReadError {
  const title = titleOf(endpoint);
  const code = error.code ?? "";
  const fail = (kind: ReadErrorCode, message: string) => new ReadError(kind, message, { cause: error });
  if (code === "ECONNREFUSED") {
    return fail("refused", `${title} refused the connection: nothing listens there. Start the cluster, ${CHOOSE}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return fail("dns", `${title} has a host name that can't be resolved (${code}). Check the network (VPN), ${CHOOSE}`);
  }
  if (isCertificateProblem(code)) {
    // Node goes on with advice for a machine's own authorities.
    const [problem] = error.message.split("; if ");
    return fail(
      "tls",
      `${title} shows a certificate that can't be trusted: ${problem}. Check certificate-authority and tls-server-name of the cluster in the kubeconfig`,
    );
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO" || code.startsWith("ERR_TLS") || code.startsWith("ERR_OSSL")) {
    return fail(
      "tls",
      `${title} does not agree on TLS: ${error.message.split("\n")[0]}. Check that the address and port are those of an API server`,
    );
  }
  if (["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"].includes(code)) {
    return fail("timeout", `${title} can't be reached (${code}). Check the network (VPN, firewall), ${CHOOSE}`);
  }
  return fail(
    "disconnected",
    `${title} broke off ${request} (${code || error.message}). Run it again; if it stays so, look at the API server's log`,
  );
}

/** OpenSSL's verdicts as Node names them: UNABLE_TO_VERIFY_LEAF_SIGNATURE, CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT… */
function isCertificateProblem(code: string): boolean {
  return /CERT|UNABLE_TO_|CRL_/.test(code) && !code.startsWith("ERR_SSL") && !code.startsWith("ERR_OSSL");
}

/** An answer that is no success. */
export function responseError(endpoint: Endpoint, request: string, status: number, body: string): ReadError {
  const title = titleOf(endpoint);
  const said = messageIn(body);
  const quoted = said === "" ? "" : `: ${said}`;
  switch (status) {
    case 401:
      return new ReadError(
        "unauthorized",
        `${title} does not accept the credentials (401 Unauthorized)${quoted}. Log in again, ${CHOOSE}`,
      );
    case 403:
      return new ReadError("forbidden", `${title} forbids ${request} (403 Forbidden)${quoted}`);
    case 404:
      return new ReadError("not-found", `${title} has no ${request} (404)${quoted}`);
    case 410:
      return new ReadError("expired", `${title} no longer has the rest of ${request} (410)${quoted}`);
    case 429:
      return new ReadError(
        "throttled",
        `${title} is overloaded and put off ${request} (429)${quoted}. Run it again later`,
      );
  }
  if (status >= 500) {
    return new ReadError(
      "server-error",
      `${title} failed on ${request} (${status})${quoted}. Run it again; if it stays so, look at the API server's log`,
    );
  }
  return new ReadError(
    "malformed",
    `${title} answered ${request} with ${status}${quoted}. Check that the address is that of an API server`,
  );
}

/** An answer that should be an object of the API, and isn't. */
export function malformedError(endpoint: Endpoint, request: string, problem: string): ReadError {
  return new ReadError(
    "malformed",
    `${titleOf(endpoint)} answered ${request} with ${problem}. Check that the address is that of an API server`,
  );
}

/** The message of a Status; of anything else (a proxy's page) its beginning. */
function messageIn(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // Not JSON: shown as it is.
  }
  return body.replace(/\s+/g, " ").trim().slice(0, 100);
}
