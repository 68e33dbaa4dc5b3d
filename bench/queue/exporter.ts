/**
 * A process of its own: runs the query at every scrape, and says what it gave as text for Prometheus. It keeps nothing: where the query
 * fails, so does the scrape, and Prometheus ends the series instead of repeating its last value.
 *
 *   DATABASE_URL=postgres://… QUEUES='["default"]' node exporter.ts <port>
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import pg from "pg";

interface Row {
  queue: string;
  jobs: string;
  read_at: string;
}

const query = readFileSync(path.join(import.meta.dirname, "queue-depth.sql"), "utf8");
const queues = JSON.parse(process.env.QUEUES ?? "[]") as string[];
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 1,
  // Below the scrape's own timeout: a query that hangs is a scrape that fails.
  connectionTimeoutMillis: 900,
  query_timeout: 900,
});
// A connection that breaks between two scrapes is replaced at the next one.
pool.on("error", () => undefined);

createServer((_request, response) => {
  pool.query<Row>(query, [queues]).then(
    ({ rows }) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(metrics(rows)),
    (error: Error) => response.writeHead(500).end(`${error.message}\n`),
  );
}).listen(Number(process.argv[2]), "127.0.0.1");

function metrics(rows: Row[]): string {
  const lines = (name: string, help: string, value: (row: Row) => string) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...rows.map((row) => `${name}{queue="${escapeLabel(row.queue)}",state="available"} ${value(row)}`),
  ];
  return [
    ...lines("oban_queue_depth", "Jobs that wait, over the whole cluster.", ({ jobs }) => jobs),
    ...lines("oban_queue_depth_timestamp_seconds", "When the jobs were counted.", ({ read_at }) => read_at),
    "",
  ].join("\n");
}

/** As the text format has it: backslash, quote and line feed. */
function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
