/**
 * Writes docs/plan.schema.json, the published schema of `plan --output json`, from src/report/plan-schema.ts.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { planJsonSchema } from "../src/report/plan-schema.ts";

const file = path.join(import.meta.dirname, "..", "docs", "plan.schema.json");
await writeFile(file, JSON.stringify(planJsonSchema()));
await execa("biome", ["format", "--write", file], { preferLocal: true });
