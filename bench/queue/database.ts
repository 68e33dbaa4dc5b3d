import { randomBytes } from "node:crypto";
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import pg from "pg";
import type { Companions } from "../cluster/companions.ts";
import { ensurePostgresql, type Postgresql } from "../tools/postgresql.ts";
import { Service } from "./service.ts";

const USER = "oban";

/** A state of a job in which it can be inserted. */
export type JobState = "available" | "scheduled" | "executing" | "retryable" | "completed" | "discarded" | "cancelled";

/** A real PostgreSQL with the table of Oban's jobs. */
export class JobsDatabase {
  readonly service: Service;
  readonly #password: string;
  readonly #pool: pg.Pool;

  private constructor(service: Service, password: string) {
    this.service = service;
    this.#password = password;
    this.#pool = new pg.Pool({ connectionString: this.url, max: 2 });
    // That the server is stopped is told by the next query.
    this.#pool.on("error", () => undefined);
  }

  /** Starts a database of its own, with an empty table. */
  static async start(companions: Companions): Promise<JobsDatabase> {
    const postgresql = await ensurePostgresql();
    const password = randomBytes(18).toString("base64url");
    // Not in the cluster's folder, into which another user can't look.
    const folder = mkdtempSync(path.join(tmpdir(), "cluster-scale-postgres-"));
    const data = path.join(folder, "data");
    await createDatabaseFiles(postgresql, folder, data, password);
    const settings = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      // Nothing here has to survive a power cut.
      fsync: "off",
    };
    const command = (port: number) => ({
      file: postgresql.postgres,
      args: [
        "-D",
        data,
        "-p",
        String(port),
        ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
      ],
      user: postgresql.user,
      folder,
      // Ends sessions; SIGTERM would wait for them.
      stopSignal: "SIGINT" as const,
    });
    const service = new Service(companions, "postgres", command, (port) => canConnect(databaseUrl(port, password)));
    await service.start();
    const database = new JobsDatabase(service, password);
    await database.query(readFileSync(path.join(import.meta.dirname, "oban-jobs.sql"), "utf8"));
    return database;
  }

  get url(): string {
    return databaseUrl(this.service.port, this.#password);
  }

  /** Inserts jobs, as Oban would have them in that state. */
  async insert(count: number, { queue = "default", state = "available" as JobState } = {}): Promise<void> {
    const attempted = !["available", "scheduled"].includes(state);
    await this.query(
      `INSERT INTO oban_jobs (state, queue, worker, attempt, attempted_at)
       SELECT $1, $2, 'Bench.Worker', $3, CASE WHEN $3 > 0 THEN timezone('UTC', now()) END FROM generate_series(1, $4)`,
      [state, queue, attempted ? 1 : 0, count],
    );
  }

  /** Does what workers do in the end: every job that waits or runs, of one queue or of all, is completed. */
  async drain(queue?: string): Promise<void> {
    await this.query(
      `UPDATE oban_jobs SET state = 'completed', completed_at = timezone('UTC', now())
       WHERE state IN ('available', 'executing') AND ($1::text IS NULL OR queue = $1)`,
      [queue ?? null],
    );
  }

  /** Runs any SQL. */
  async query<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]> {
    return (await this.#pool.query<T>(sql, values)).rows;
  }

  /** Closes this process's connections. */
  async close(): Promise<void> {
    await this.#pool.end();
  }
}

async function createDatabaseFiles(
  { initdb, user }: Postgresql,
  folder: string,
  data: string,
  password: string,
): Promise<void> {
  const passwordFile = path.join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const file of [folder, passwordFile]) chownSync(file, user.uid, user.gid);
  const options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"];
  await execa(initdb, ["-D", data, `--username=${USER}`, `--pwfile=${passwordFile}`, ...options], {
    cwd: folder,
    ...user,
  });
}

function databaseUrl(port: number, password: string): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  await client.connect();
  await client.end();
  return true;
}
