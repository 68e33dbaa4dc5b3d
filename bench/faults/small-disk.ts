import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";

/** A disk of a few megabytes in memory. It is gone when this process ends, however that comes. */
export interface SmallDisk {
  folder: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Makes room again. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Mounts one in a namespace of its own, for which no permission is needed. It lives as long as a process that waits for the end of its
 * stdin, and is reached by that process's view of the file system (proc_pid_root(5)).
 *
 * @param mountPoint an empty folder.
 */
export async function smallDisk(mountPoint: string, megabytes = 8): Promise<SmallDisk> {
  const script = `mount -t tmpfs -o size=${megabytes}m none "$1" && echo mounted && exec cat`;
  const holder = execa("unshare", ["--mount", "--map-root-user", "sh", "-c", script, "sh", mountPoint], {
    reject: false,
  });
  const ended = holder.then(({ stderr }) => {
    throw new Error(
      `no file system can be mounted in a namespace of its own: ${stderr}\nIt takes unshare of util-linux, and user namespaces that are allowed: ` +
        "`sysctl kernel.unprivileged_userns_clone=1`, or for a container `--security-opt seccomp=unconfined`",
    );
  });
  await Promise.race([once(holder.stdout, "data"), ended]);
  ended.catch(() => undefined);

  const folder = `/proc/${holder.pid}/root${mountPoint}`;
  const ballast = path.join(folder, "ballast");
  return {
    folder,
    fill: () => fill(ballast),
    free: () => rm(ballast, { force: true }),
    remove: async () => {
      holder.stdin.end();
      await holder;
    },
  };
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, "a");
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      while ((await handle.write(Buffer.alloc(size)).catch(fullDisk)) !== undefined);
    }
  } finally {
    await handle.close();
  }
}

function fullDisk(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOSPC") throw error;
}
