import type { Patch, PatchedModule } from "./patched-module.ts";

const file = "cmd/adapter/adapter.go";
const openApi = `It describes its API with what was generated for Kubernetes 1.30, in which the server of 1.36 does not find its own types.
  Where it describes nothing, the library that it is built on does, with what was generated for 1.36`;

/** Leaves out a line of Go. */
const without = (text: string): Patch => ({ file, why: openApi, text: `\t${text}\n`, by: "" });

/** Leaves out the block in which one of the two versions of the description is made. */
function withoutDescription(version: "" | "V3"): Patch {
  const config = `cmd.OpenAPI${version}Config`;
  const namer = "openapinamer.NewDefinitionNamer(api.Scheme, customexternalmetrics.Scheme)";
  return without(`if ${config} == nil {
		${config} = genericapiserver.DefaultOpenAPI${version}Config(generatedopenapi.GetOpenAPIDefinitions, ${namer})
		${config}.Info.Title = "prometheus-metrics-adapter"
		${config}.Info.Version = "1.0.0"
	}`);
}

/**
 * The metrics adapter of kubernetes-sigs. Its newest release was written against Kubernetes 1.30; the patches are all that it takes to
 * build it with the release that the control plane has, whose packages are compiled already then.
 */
export const prometheusAdapter: PatchedModule = {
  module: "sigs.k8s.io/prometheus-adapter",
  version: "v0.12.0",
  sum: "h1:e29A6BIwA/NKxPZeuamBMHJsvz0sSUXTb92Obg7RMV4=",
  folder: "adapter",
  patches: [
    {
      file,
      why: "Kubernetes 1.31 made the server take a context instead of a channel",
      text: "stopCh := genericapiserver.SetupSignalHandler()",
      by: "ctx := genericapiserver.SetupSignalContext()\n\tstopCh := ctx.Done()",
    },
    { file, why: "The same", text: "cmd.Run(stopCh)", by: "cmd.Run(ctx)" },
    {
      file: "pkg/client/api.go",
      why: `It has the sign of the timeout that it gives to Prometheus wrong. What it was built with wrote a negative duration as nothing,
        which is no timeout; what it is built with here writes it as it is, and Prometheus refuses it`,
      text: "time.Since(deadline)",
      by: "time.Until(deadline)",
    },
    withoutDescription(""),
    withoutDescription("V3"),
    without('openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"'),
    without('customexternalmetrics "sigs.k8s.io/custom-metrics-apiserver/pkg/apiserver"'),
    without('generatedopenapi "sigs.k8s.io/prometheus-adapter/pkg/api/generated/openapi"'),
  ],
  embedded: [],
};
