import type { PatchedModule } from "./patched-module.ts";

/** Agrees with the version of `@pulumi/kubernetes` in package.json: the SDK warns at every run of another one. */
export const kubernetesProviderVersion = "4.25.0";

/**
 * Pulumi's Kubernetes provider, from the commit of that release: the only version that the module proxy serves. It was
 * written against older releases of Kubernetes' and Pulumi's modules than the rest of the set has; the first two patches
 * are all that it takes to compile it with them, and so to compile them once; the others save a third of the work.
 */
export const kubernetesProvider: PatchedModule = {
  module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
  version: "v4.0.0-20260115033456-f47bc2d6f199",
  sum: "h1:j2bphCf7c2YhnBrhwht2f3TNRRgcMImltUlAgzxr9H4=",
  folder: "provider",
  patches: [
    {
      file: "pkg/await/await.go",
      why: "Kubernetes 1.34 moved its managed fields to the next major version of this module",
      text: '"sigs.k8s.io/structured-merge-diff/v4/fieldpath"',
      by: '"sigs.k8s.io/structured-merge-diff/v6/fieldpath"',
    },
    {
      file: "pkg/gen/schema.go",
      why: "Pulumi made this field of its schema a pointer",
      text: "Provider: pschema.ResourceSpec{",
      by: "Provider: &pschema.ResourceSpec{",
    },
    {
      file: "pkg/provider/yaml/v2/yaml.go",
      why: `It registers what a YAML file holds with the Go type of each kind, and does nothing with the type. The types
        are the whole Go SDK, a third of everything that there is to compile; what the SDK does with a kind that it
        does not know, under the same resource name, is all that is needed`,
      text: 'yamlv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/yaml/v2"',
      by: '"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions"',
    },
    {
      file: "pkg/provider/yaml/v2/yaml.go",
      why: "The same",
      text: "res, err := yamlv2.RegisterResource(ctx, apiVersion, kind, resourceName, kubernetes.UntypedArgs(obj.Object), resourceOpts...)",
      by: `if apiVersion == "v1" {
		apiVersion = "core/v1"
	}
	res := &apiextensions.CustomResource{}
	err := ctx.RegisterResource("kubernetes:"+apiVersion+":"+kind, resourceName, kubernetes.UntypedArgs(obj.Object), res, resourceOpts...)`,
    },
  ],
  embedded: [
    {
      from: "cmd/pulumi-resource-kubernetes/schema.json",
      to: "pulumi-resource-kubernetes/schema.json",
      // Pulumi's own build fills the version in at this point.
      replace: {
        text: '"name": "kubernetes",',
        by: `"name": "kubernetes", "version": "${kubernetesProviderVersion}",`,
      },
    },
    {
      from: "cmd/pulumi-resource-kubernetes/terraform-mapping.json",
      to: "pulumi-resource-kubernetes/terraform-mapping.json",
    },
  ],
};
