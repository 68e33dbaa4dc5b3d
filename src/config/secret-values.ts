/** Telling secrets from settings: a value that is one must be referred to and never stand in a policy. */

/** Names of variables whose value is a secret, by how they end. */
const SECRET_NAME =
  /(^|_)(PASSWORD|PASSWD|PASS|SECRET|TOKEN|CREDENTIALS?|DSN|COOKIE|KEY_BASE|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)_?KEY|(DATABASE|DB|REDIS|AMQP|MONGO|POSTGRES|CLICKHOUSE)_UR[LI])$/i;

const SECRET_VALUES = [
  // A URL with a password in it.
  /[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // A JSON web token.
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/,
  // Keys of AWS, GitHub, GitLab, Slack, Google.
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_\w{20,}/,
  /\bglpat-[\w-]{16,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\bAIza[\w-]{35}/,
];

/** Whether a variable of this name holds a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a text holds a secret, by its form. */
export function looksSecret(text: string): boolean {
  return SECRET_VALUES.some((form) => form.test(text));
}
