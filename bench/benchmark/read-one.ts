/** `read-one.ts <kubeconfig> <list>`: reads one list as a plan does, and prints how long it took and what it held, as JSON. */
import { readFileSync } from "node:fs";
import { SnapshotBuilder } from "../../src/cluster/builder.ts";
import { connect } from "../../src/cluster/client.ts";
import { Deadline } from "../../src/cluster/deadline.ts";
import { KINDS } from "../../src/cluster/kinds.ts";
import { readList } from "../../src/cluster/list.ts";

const [kubeconfig, list] = process.argv.slice(2);
const kind = KINDS.find((each) => each.list === list);
if (kubeconfig === undefined || kind === undefined) throw new Error("usage: read-one.ts <kubeconfig> <list>");

const deadline = new Deadline(600, () => new Error("read for ten minutes"));
const start = performance.now();
const client = await connect({ kubeconfig }, { requestTimeoutSeconds: 300, deadline });
const objects = await readList(client, new SnapshotBuilder(), kind, {});
const seconds = (performance.now() - start) / 1000;
deadline.end(new Error("all is read"));
client.close();

// proc_pid_status(5): "peak resident set size".
const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
console.log(JSON.stringify({ seconds, objects: objects.length, peakMegabytes: Number(kilobytes) / 1024 }));
