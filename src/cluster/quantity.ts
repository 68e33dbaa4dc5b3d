/**
 * Kubernetes quantities, read as k8s.io/apimachinery/pkg/api/resource (ParseQuantity) reads them.
 */

/**
 * A sign, digits with or without a fraction (`1.5`, `.5`, `1.`), and a suffix. At least one digit: apimachinery takes a
 * bare suffix for 0, but no API server ever writes one.
 */
const QUANTITY = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?((?:[numkMGTPE]|[KMGTPE]i)?|[eE][+-]?\d+)$/;

const SUFFIXES: Record<string, { base: 2 | 10; exponent: number }> = {
  "": { base: 10, exponent: 0 },
  n: { base: 10, exponent: -9 },
  u: { base: 10, exponent: -6 },
  m: { base: 10, exponent: -3 },
  k: { base: 10, exponent: 3 },
  M: { base: 10, exponent: 6 },
  G: { base: 10, exponent: 9 },
  T: { base: 10, exponent: 12 },
  P: { base: 10, exponent: 15 },
  E: { base: 10, exponent: 18 },
  Ki: { base: 2, exponent: 10 },
  Mi: { base: 2, exponent: 20 },
  Gi: { base: 2, exponent: 30 },
  Ti: { base: 2, exponent: 40 },
  Pi: { base: 2, exponent: 50 },
  Ei: { base: 2, exponent: 60 },
};

/** Beyond this, whole numbers are no longer exact in JavaScript; larger amounts count as this much (9 PB, 9e12 cores). */
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** An exponent past this saturates or rounds to the least amount whatever the digits. */
const LARGEST_EXPONENT = 1000;

/**
 * The amount in whole units or in thousandths, rounded up (away from 0 for negative amounts), as the scheduler rounds.
 * Amounts too large for a number saturate at ±Number.MAX_SAFE_INTEGER.
 *
 * @returns undefined for what the API server would refuse (`1,5`, `12e6Ki`, the empty string).
 */
export function parseQuantity(written: string | number, unit: "milli" | "whole"): number | undefined {
  const match = QUANTITY.exec(String(written));
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  const { base, exponent } = SUFFIXES[suffix] ?? { base: 10, exponent: Number(suffix.slice(1)) };
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return 0;

  const tens = (base === 10 ? exponent : 0) - fraction.length + (unit === "milli" ? 3 : 0);
  if (tens > LARGEST_EXPONENT) return signed(LARGEST, sign);
  if (tens < -LARGEST_EXPONENT) return signed(1n, sign);
  const scaled = base === 2 ? digits << BigInt(exponent) : digits;
  const amount = tens >= 0 ? scaled * 10n ** BigInt(tens) : ceilDivide(scaled, 10n ** BigInt(-tens));
  return signed(amount < LARGEST ? amount : LARGEST, sign);
}

function ceilDivide(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}

function signed(amount: bigint, sign: string): number {
  return sign === "-" ? -Number(amount) : Number(amount);
}
