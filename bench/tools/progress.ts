/** Where progress goes: one line that is rewritten on a terminal, a line now and then elsewhere. */
export interface ProgressOutput {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
}

const TERMINAL_MS = 500;
const PLAIN_MS = 15_000;

/**
 * Says every so often how far a piece of work is.
 *
 * @param describe the state now, without the time, which is added: "…, 41 s so far".
 * @returns ends it, with a last line that stays.
 */
export function startProgress(describe: () => string, output: ProgressOutput = process.stderr): (last: string) => void {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const show = () => {
    const line = `${describe()}, ${seconds()} s so far`;
    if (output.isTTY) output.write(`\r\x1b[K${line.slice(0, (output.columns ?? 80) - 1)}`);
    else output.write(`${line}\n`);
  };
  show();
  const timer = setInterval(show, output.isTTY ? TERMINAL_MS : PLAIN_MS);
  return (last) => {
    clearInterval(timer);
    output.write(`${output.isTTY ? "\r\x1b[K" : ""}${last} (${seconds()} s)\n`);
  };
}
