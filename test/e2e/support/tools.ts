import { ensureTools } from "../../../bench/tools/ensure.ts";

/** Before the first end-to-end test: whatever the bench needs is there, or the run fails with what to install. */
export default async function setup(): Promise<void> {
  await ensureTools();
}
