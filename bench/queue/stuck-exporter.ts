/**
 * A process of its own, in the place of the exporter: answers every scrape with the same text, as an exporter does whose reading of the
 * table hangs and whose server goes on.
 *
 *   node stuck-exporter.ts <port> <file with the text>
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [, , port, file = ""] = process.argv;
const text = readFileSync(file, "utf8");

createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(text);
}).listen(Number(port), "127.0.0.1");
