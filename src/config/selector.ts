/**
 * Label selectors in kubectl's notation: `pool=app,tier!=edge,env in (a,b),!gpu`.
 *
 * The grammar is that of k8s.io/apimachinery/pkg/labels (Parse), checked against the rules for label keys and values,
 * so that a selector which the API server would refuse is an error here too.
 */
import type { LabelRequirement, LabelSelector } from "./policy.ts";

/** What a label key is: an optional DNS prefix and a name. Source: IsQualifiedName of apimachinery's validation. */
export function isLabelKey(text: string): boolean {
  const [name = "", prefix, ...more] = text.split("/").reverse();
  const named = /^([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/.test(name);
  return named && more.length === 0 && (prefix === undefined || isDnsSubdomain(prefix));
}

/** A lower-case DNS name of dot-separated labels, as most Kubernetes objects are named. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
}

function isLabelValue(text: string): boolean {
  return text === "" || /^([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/.test(text);
}

/** @throws Error whose message is a clause that says what is wrong with the text. */
export function parseSelector(text: string): LabelSelector {
  const tokens = text.match(/[!=<>]+|[(),]|[^\s!=<>(),]+/g) ?? [];
  if (tokens.length === 0) throw new Error("it is empty");
  const selector: LabelSelector = [];
  let position = 0;
  for (;;) {
    const end = requirementEnd(tokens, position);
    selector.push(parseRequirement(tokens.slice(position, end)));
    if (end === tokens.length) return selector;
    position = end + 1;
    if (position === tokens.length) throw new Error('it ends with ","');
  }
}

/** The index of the comma that ends the requirement, commas between brackets aside, or of the end. */
function requirementEnd(tokens: string[], start: number): number {
  let inBrackets = false;
  for (let index = start; index < tokens.length; index++) {
    if (tokens[index] === "(") inBrackets = true;
    else if (tokens[index] === ")") inBrackets = false;
    else if (tokens[index] === "," && !inBrackets) return index;
  }
  return tokens.length;
}

function parseRequirement(tokens: string[]): LabelRequirement {
  const written = tokens.join(" ");
  if (tokens.length === 0) throw new Error('it has a "," with no requirement before it');
  if (tokens[0] === "!") {
    if (tokens.length !== 2) throw new Error(`"${written}" is not "!key"`);
    return { key: labelKey(tokens[1]), operator: "DoesNotExist", values: [] };
  }
  const [first, operator, ...rest] = tokens;
  const key = labelKey(first);
  switch (operator) {
    case undefined:
      return { key, operator: "Exists", values: [] };
    case "=":
    case "==":
      return { key, operator: "In", values: [singleValue(written, rest)] };
    case "!=":
      return { key, operator: "NotIn", values: [singleValue(written, rest)] };
    case ">":
    case "<":
      return { key, operator: operator === ">" ? "Gt" : "Lt", values: [wholeNumber(written, rest)] };
    case "in":
    case "notin":
      return { key, operator: operator === "in" ? "In" : "NotIn", values: valueSet(written, rest) };
    default:
      throw new Error(`"${operator}" in "${written}" is none of =, ==, !=, in, notin, <, >`);
  }
}

function labelKey(token: string | undefined): string {
  if (token === undefined || !isLabelKey(token)) throw new Error(`"${token ?? ""}" is not a label key`);
  return token;
}

function labelValue(value: string): string {
  if (!isLabelValue(value)) throw new Error(`"${value}" is not a label value`);
  return value;
}

/** No token stands for the empty value: `key=` selects the label whose value is empty. */
function singleValue(written: string, tokens: string[]): string {
  if (tokens.length > 1) throw new Error(`"${written}" has more than one value; write key in (a,b)`);
  return labelValue(tokens[0] ?? "");
}

function wholeNumber(written: string, tokens: string[]): string {
  const value = singleValue(written, tokens);
  if (!/^[0-9]+$/.test(value)) throw new Error(`"${written}" compares with something that is not a whole number`);
  return value;
}

/** `( a , b )`; as in kubectl, nothing between two commas or brackets is the empty value. */
function valueSet(written: string, tokens: string[]): string[] {
  if (tokens[0] !== "(" || tokens.at(-1) !== ")") throw new Error(`"${written}" lacks its values in brackets: (a,b)`);
  const values = [""];
  let complete = false;
  for (const token of tokens.slice(1, -1)) {
    if (token === ",") {
      values.push("");
      complete = false;
    } else if (complete) {
      throw new Error(`"${written}" lacks a comma before "${token}"`);
    } else {
      values[values.length - 1] = labelValue(token);
      complete = true;
    }
  }
  return [...new Set(values)];
}
