/**
 * The versions of Node.js that run this program: they run TypeScript by themselves (22.18), and their agents go through the proxies
 * of the environment (22.21 and 24.5), of which older ones would say nothing. Plain JavaScript, for those that don't.
 */

/** In words, for errors. */
export const NEEDED = "22.21, 24.5 or newer";

/**
 * @param {string} version As `process.versions.node` has it.
 * @returns {boolean}
 */
export function isRecent(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}
