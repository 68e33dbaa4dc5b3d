import { plan } from "../plan/index.ts";
import { planJson } from "../report/json.ts";
import { planMarkdown } from "../report/markdown.ts";
import { planTable } from "../report/table.ts";
import { type OutputOptions, styleOf } from "./output.ts";
import { readPolicy } from "./policy.ts";
import { readSource, type SourceOptions } from "./source.ts";

export interface PlanOptions extends SourceOptions, OutputOptions {
  output: "table" | "json" | "markdown";
}

/** Prints the plan. */
export async function planCommand(options: PlanOptions, out: NodeJS.WriteStream): Promise<void> {
  const { settings, cluster } = await readPolicy(options);
  const snapshot = await readSource(options, settings, cluster);
  const made = plan(snapshot, settings);
  const { paint, width } = styleOf(out, options);
  const text = {
    json: () => `${JSON.stringify(planJson(made, snapshot.clusterId), null, 2)}\n`,
    markdown: () => planMarkdown(made, snapshot.clusterId),
    table: () => `${planTable(made, paint, width)}\n`,
  };
  out.write(text[options.output]());
}
