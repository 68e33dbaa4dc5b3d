import { homedir } from "node:os";
import path from "node:path";

/** The folder of built tools: `$XDG_CACHE_HOME/cluster-scale`, `~/.cache/cluster-scale` by default. */
export function cacheHome(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "cluster-scale");
}

/** The folder of what is running: `$XDG_STATE_HOME/cluster-scale`, `~/.local/state/cluster-scale` by default. */
export function stateHome(): string {
  return path.join(process.env.XDG_STATE_HOME || path.join(homedir(), ".local", "state"), "cluster-scale");
}
