/** Where Pulumi enters: turns Node's compile cache on, then loads the program, which is index.ts. A static import would come first. */
import "./src/compile-cache.mjs";

export default (await import("./index.ts")).default;
