/** What went wrong between us and the API server, in words for people: what happened, with whom, what to do next. */
import { ReadError, type ReadErrorCode } from "./errors.ts";

/** Who was asked, without credentials. */
export interface Endpoint {
  /** The URL. */
  server: string;
  context: string;
}

const CHOOSE = "or choose another context";

export function nameOf({ server, context }: Endpoint): string {
  return `API server ${server} (context ${context})`;
}

/** A request that took longer than it may. */
export function timeoutError(endpoint: Endpoint, request: string, seconds: number): ReadError {
  return new ReadError(
    "timeout",
    `${nameOf(endpoint)} did not answer ${request} within ${seconds} s (requestTimeoutSeconds). ` +
      "Check that it is alive and reachable from here (VPN, firewall), or raise the timeout",
  );
}

/** A connection that could not be made or broke; `error` is Node's. */
export function connectionError(endpoint: Endpoint, request: string, error: NodeJS.ErrnoException): ReadError {
  const name = nameOf(endpoint);
  const code = error.code ?? "";
  const fail = (kind: ReadErrorCode, message: string) => new ReadError(kind, message, { cause: error });
  if (code === "ECONNREFUSED") {
    return fail("refused", `${name} refused the connection: nothing listens there. Start the cluster, ${CHOOSE}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return fail("dns", `${name} has a host name that can't be resolved (${code}). Check the network (VPN), ${CHOOSE}`);
  }
  if (isCertificateProblem(code)) {
    // Node goes on with advice for a machine's own authorities.
    const [problem] = error.message.split("; if ");
    return fail(
      "tls",
      `${name} shows a certificate that can't be trusted: ${problem}. Check certificate-authority and tls-server-name of the cluster in the kubeconfig`,
    );
  }
  if (/^(ERR_O?SSL|ERR_TLS|EPROTO)/.test(code)) {
    return fail(
      "tls",
      `${name} does not agree on TLS: ${error.message.split("\n")[0]}. Check that the address and port are those of an API server`,
    );
  }
  if (["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"].includes(code)) {
    return fail("timeout", `${name} can't be reached (${code}). Check the network (VPN, firewall), ${CHOOSE}`);
  }
  if (code.startsWith("HPE_")) return malformedError(endpoint, request, "what is no HTTP");
  return fail(
    "disconnected",
    `${name} broke off ${request} (${code || error.message}). Run it again; if it stays so, look at the API server's log`,
  );
}

/** OpenSSL's verdicts as Node names them: UNABLE_TO_VERIFY_LEAF_SIGNATURE, CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT… */
function isCertificateProblem(code: string): boolean {
  return /CERT|UNABLE_TO_|CRL_/.test(code) && !/^ERR_O?SSL/.test(code);
}

/** An answer that is no success. */
export function responseError(endpoint: Endpoint, request: string, status: number, body: string): ReadError {
  const name = nameOf(endpoint);
  const said = messageIn(body);
  const quoted = said === "" ? "" : `: ${said}`;
  switch (status) {
    case 401:
      return new ReadError(
        "unauthorized",
        `${name} does not accept the credentials (401 Unauthorized)${quoted}. Log in again, ${CHOOSE}`,
      );
    case 403:
      return new ReadError("forbidden", `${name} forbids ${request} (403 Forbidden)${quoted}`);
    case 404:
      return new ReadError("not-found", `${name} has no ${request} (404)${quoted}`);
    case 410:
      return new ReadError("expired", `${name} no longer has the rest of ${request} (410)${quoted}`);
    case 429:
      return new ReadError(
        "throttled",
        `${name} is overloaded and put off ${request} (429)${quoted}. Run it again later`,
      );
  }
  if (status >= 500) {
    return new ReadError(
      "server-error",
      `${name} failed on ${request} (${status})${quoted}. Run it again; if it stays so, look at the API server's log`,
    );
  }
  return new ReadError(
    "malformed",
    `${name} answered ${request} with ${status}${quoted}. Check that the address is that of an API server`,
  );
}

/** An answer that should be an object of the API, and isn't. */
export function malformedError(endpoint: Endpoint, request: string, problem: string): ReadError {
  return new ReadError(
    "malformed",
    `${nameOf(endpoint)} answered ${request} with ${problem}. Check that the address is that of an API server`,
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
