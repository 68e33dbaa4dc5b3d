/**
 * Settings from a YAML file: a policy with its keys at the top, or a stack's `Pulumi.<stack>.yaml`.
 */
import { LineCounter, parseDocument } from "yaml";
import { ConfigError } from "./problems.ts";
import { parseSettings, type Settings } from "./settings.ts";

const NAMESPACE = "cluster-scale:";

/**
 * @param fileName for errors.
 * @throws ConfigError with every problem: of the YAML, with its line, or else of the policy.
 */
export function policyFromYaml(text: string, fileName: string): Settings {
  const value = parseYaml(text, fileName);
  return isStackFile(value) ? parseSettings(ofStack(value.config), fileName) : parseSettings(value, fileName);
}

function parseYaml(text: string, fileName: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const message = error.code === "MULTIPLE_DOCS" ? "a second document begins; must be one policy" : error.message;
      return `line ${lines.linePos(error.pos[0]).line}: ${message}`;
    });
    throw new ConfigError(fileName, problems);
  }
  if (document.contents === null)
    throw new ConfigError(fileName, ["is empty; must be a policy with a list of workloads"]);
  return document.toJS();
}

/** A policy has no key `config`; a stack's file may have nothing else. */
function isStackFile(value: unknown): value is { config: unknown } {
  return typeof value === "object" && value !== null && "config" in value;
}

/** The stack's keys of this project; those of the provider and of other projects are none of ours. */
function ofStack(config: unknown): Record<string, unknown> {
  const entries = Object.entries((config ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries
      .filter(([key]) => key.startsWith(NAMESPACE))
      .map(([key, value]) => [key.slice(NAMESPACE.length), plainValue(value)]),
  );
}

/** `pulumi config set` stores everything as text, numbers and objects as JSON. */
function plainValue(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
