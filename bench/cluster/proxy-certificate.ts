import { chmod } from "node:fs/promises";
import { ExecaError, execa } from "execa";
import { clusterFiles } from "./files.ts";

/** Who an aggregated API sees in the API server's certificate. */
export const PROXY_USER = "front-proxy-client";

/**
 * Makes the certificate with which the API server shows itself to aggregated APIs. It signs itself: nobody else has a key that it
 * vouches for.
 */
export async function writeProxyCertificate(dir: string): Promise<void> {
  const { proxyCertificate, proxyKey } = clusterFiles(dir);
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650".split(" ");
  const what = ["-subj", `/CN=${PROXY_USER}`, "-addext", "extendedKeyUsage=clientAuth"];
  try {
    await execa("openssl", [...request, ...what, "-keyout", proxyKey, "-out", proxyCertificate]);
  } catch (error) {
    if (!(error instanceof ExecaError) || error.code !== "ENOENT") throw error;
    throw new Error(
      "There is no openssl on PATH. Install OpenSSL: a cluster with aggregated APIs makes a certificate with it.",
    );
  }
  await chmod(proxyKey, 0o600);
}
