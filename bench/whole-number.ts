import { InvalidArgumentError } from "commander";

/** Parses an option of a command of the bench: a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  };
}
