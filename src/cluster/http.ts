/**
 * node:http without what its import brings. An ES import of a built-in reads each of its exports, and three of http's are getters
 * that load undici for WebSockets (lib/http.js of Node 24, `lazyUndici`): 25 ms at every start, for nothing.
 */
export const http = process.getBuiltinModule("node:http");
