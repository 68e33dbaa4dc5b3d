import { expect, test } from "vitest";
import type { ApiRequest } from "../../src/cluster/client.ts";
import { ReadError } from "../../src/cluster/errors.ts";
import { ConflictError, sending } from "../../src/cluster/send.ts";
import { type Answer, apiServer } from "./support/api-server.ts";

const PATH = "/apis/apps/v1/namespaces/dev/deployments/gitea";
const LIMITS = { requestTimeoutSeconds: 2, timeoutSeconds: 5 };

/** What comes of one request to a server with one answer, and what the server saw. */
async function sent(answer: Answer, request: Partial<ApiRequest> = {}, limits = LIMITS) {
  const server = await apiServer({ [PATH]: answer });
  const end = await sending({ kubeconfig: server.kubeconfig }, limits, (send) =>
    send({ method: "PATCH", path: PATH, body: { a: "ä" }, ...request }),
  ).catch((error: unknown) => error);
  return { end, server };
}

test("the body arrives whole, with its type, and the answer comes back", async () => {
  let received = "";
  const { end, server } = await sent(
    (response, request) => {
      request.on("data", (chunk) => {
        received += chunk;
      });
      request.on("end", () => response.end('{"ok":true}'));
    },
    { contentType: "application/apply-patch+yaml" },
  );
  expect(end).toEqual({ ok: true });
  expect(received).toBe('{"a":"ä"}');
  expect(server.headers).toMatchObject({
    "content-type": "application/apply-patch+yaml",
    "content-length": "10",
    "user-agent": "cluster-scale",
  });
});

test("201 is a success too, and a GET has no body", async () => {
  const { end, server } = await sent([201, { created: true }], { method: "GET", body: undefined });
  expect(end).toEqual({ created: true });
  expect(server.headers["content-type"]).toBeUndefined();
});

test.each<[string, Answer, string, RegExp]>([
  ["403", [403, { message: "no patch" }], "forbidden", /forbids PATCH .* \(403 Forbidden\): no patch$/],
  ["no JSON", [200, "<html>"], "malformed", /answered PATCH .* with what is no JSON/],
  ["a closed connection", (response) => response.destroy(), "disconnected", /broke off PATCH/],
])("%s is an error that says so", async (_what, answer, code, message) => {
  const { end } = await sent(answer);
  expect(end).toBeInstanceOf(ReadError);
  expect(end).toMatchObject({ code, message: expect.stringMatching(message) });
});

test("409 is a conflict", async () => {
  expect((await sent([409, { message: "the object has been modified" }])).end).toBeInstanceOf(ConflictError);
});

test("a server that never answers is an error in time, by the request or by the whole", async () => {
  const one = await sent(() => {}, {}, { requestTimeoutSeconds: 0.2, timeoutSeconds: 5 });
  expect(one.end).toMatchObject({ code: "timeout", message: expect.stringContaining("within 0.2 s") });
  const all = await sent(() => {}, {}, { requestTimeoutSeconds: 5, timeoutSeconds: 0.2 });
  expect(all.end).toMatchObject({ code: "timeout", message: "The cluster was asked for longer than 0.2 s" });
});
