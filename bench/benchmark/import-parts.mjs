/**
 * Imports the program part by part, as a preview does, and prints the milliseconds of processor time of each, as JSON: from its sources,
 * or with the argument `bundle` from its bundle. What an earlier part has brought costs a later one nothing. Plain JavaScript, like
 * main.mjs, which it stands for.
 */
import "../../src/compile-cache.mjs";

const PULUMI = [
  ["Node and the Pulumi SDK", "@pulumi/pulumi"],
  ["its Kubernetes patches", "@pulumi/kubernetes/apps/v1/deploymentPatch.js"],
];
const SOURCES = [
  ["zod", "zod"],
  ["src/config", "../../src/config/settings.ts"],
  ["src/cluster", "../../src/cluster/read.ts"],
  ["src/plan", "../../src/plan/index.ts"],
  ["src/resources and the rest", "../../src/resources/declare.ts", "../../index.ts"],
];
const BUNDLE = [["the bundle", "../../dist/program/program.mjs", "../../dist/program/declare.mjs"]];

const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const times = [];
let last = 0;
for (const [name, ...specifiers] of [...PULUMI, ...(process.argv[2] === "bundle" ? BUNDLE : SOURCES)]) {
  for (const specifier of specifiers) await import(specifier);
  const now = milliseconds();
  times.push([name, now - last]);
  last = now;
}
console.log(JSON.stringify(times));
