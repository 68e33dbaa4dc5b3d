/** The documents of a dump: YAML, JSON, or several of either. */
import { loadAll, type YAMLException } from "js-yaml";
import { ReadError } from "./errors.ts";

/**
 * The values of the documents in their order, null for an empty one (between two `---`).
 *
 * @throws ReadError with file, document and line where the text is no YAML or JSON, or where there is nothing in it.
 */
export function parseDocuments(name: string, text: string): unknown[] {
  const isJson = /^\s*\{/.test(text) && !/^---/m.test(text);
  const documents = isJson ? parseJson(name, text) : parseYaml(name, text);
  if (documents.every((document) => document === null)) {
    throw new ReadError("incomplete", `${name}: is empty; it must hold what kubectl get … -o yaml printed`);
  }
  return documents;
}

/**
 * JSON documents one after the other, as two kubectl calls into one pipe print them: a brace that opens on the line
 * after a closing one, without a comma, can only begin a new document.
 */
function parseJson(name: string, text: string): unknown[] {
  return text
    .trim()
    .split(/(?<=\})\s*\n\s*(?=\{)/)
    .map((document, index) => {
      try {
        return JSON.parse(document);
      } catch (error) {
        throw new ReadError("malformed", `${name}: document ${index + 1}: is no JSON: ${(error as Error).message}`);
      }
    });
}

/** By client-node's own parser, seven times as fast as the one that keeps comments: dumps are large. */
function parseYaml(name: string, text: string): unknown[] {
  try {
    return loadAll(text);
  } catch (error) {
    const { reason, mark } = error as Partial<YAMLException>;
    const start = text.lastIndexOf("\n---", mark?.position);
    const number = start === -1 ? 1 : loadAll(text.slice(0, start)).length + 1;
    const where = mark === undefined ? "" : ` at line ${mark.line + 1}, column ${mark.column + 1}`;
    throw new ReadError("malformed", `${name}: document ${number}: is no YAML: ${reason ?? error}${where}`);
  }
}
