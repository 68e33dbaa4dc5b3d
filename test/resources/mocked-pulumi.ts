import * as pulumi from "@pulumi/pulumi";
import { vi } from "vitest";

/** What a program declared to a mocked engine. */
export interface Declared {
  /** In the order of registration, with inputs as the engine gets them. */
  resources: pulumi.runtime.MockResourceArgs[];
  /** By type: inputs and options as the program gave them. */
  args: Map<string, pulumi.ResourceTransformationArgs>;
  /** What was logged. */
  log: string[];
}

/**
 * Runs a program in a mocked preview until everything is registered.
 *
 * @param onRegister called for each resource before the program learns that it is there.
 */
export async function previewed(
  program: () => Promise<unknown>,
  onRegister: (type: string) => void = () => {},
): Promise<Declared> {
  const errors: unknown[] = [];
  const declared: Declared = { resources: [], args: new Map(), log: [] };
  // Without an engine the SDK prints what it would log.
  vi.spyOn(console, "log").mockImplementation((text) => void declared.log.push(text));
  pulumi.runtime.setMocks(
    {
      call: () => ({}),
      newResource: (args) => {
        declared.resources.push(args);
        onRegister(args.type);
        return { id: `${args.name}-id`, state: args.inputs };
      },
    },
    "cluster-scale",
    "dev",
    true,
  );
  await pulumi.runtime.runInPulumiStack(async () => {
    pulumi.runtime.registerStackTransformation((args) => void declared.args.set(args.type, args));
    // The SDK would report an error to the engine too, and here there is none.
    await program().catch((error) => void errors.push(error));
  });
  await pulumi.runtime.disconnect();
  for (const error of errors) throw error;
  return declared;
}

export function ofType({ resources }: Declared, type: string): pulumi.runtime.MockResourceArgs[] {
  return resources.filter((resource) => resource.type === type);
}
