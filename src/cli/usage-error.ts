/** A command line that makes no sense as a whole. */
export class UsageError extends Error {}
