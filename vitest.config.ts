import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A test that prints has found something that nobody asserts.
    onConsoleLog: (log) => {
      throw new Error(`a test printed: ${log}`);
    },
    projects: [
      {
        extends: true,
        // Generous, because it is no measurement: a busy machine is no failure.
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/e2e/**"], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/support/tools.ts"],
          // Each file has a cluster of its own; two cores carry two of them.
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
