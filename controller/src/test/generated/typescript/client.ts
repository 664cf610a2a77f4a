// Calls the control API and a function through types that openapi-typescript made; the compiler checks what they say.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths as Control } from "./control.js";
import type { paths as Lecture } from "./lecture.js";

const server = process.argv[2]!;
const control = createClient<Control>({ baseUrl: server });

const found = await control.GET("/api/v1/functions/{namespace}/{name}", {
  params: { path: { namespace: "default", name: "lecture" } },
});
assert(found.data, JSON.stringify(found.error));
const view: components["schemas"]["FunctionView"] = found.data;
const max: number | undefined = view.spec.scaling?.max;
assert.equal(view.name, "lecture");
assert.equal(view.spec.type, "Gradient");
assert.equal(max, 4);
assert.equal(view.traffic[0]?.percent, 100);

const missing = await control.GET("/api/v1/functions/{namespace}/{name}", {
  params: { path: { namespace: "default", name: "none" } },
});
assert.equal(missing.error?.status, 404);
assert.match(missing.error?.detail ?? "", /no function 'none'/);
assert.equal(missing.error?.type, "/docs/errors#unknown-function");

const refused = await control.POST("/api/v1/functions", {
  body: {
    apiVersion: "knabla.dev/v1alpha1",
    kind: "Function",
    metadata: { name: "wrong" },
    spec: { model: "s3://models/none.onnx", scaling: { min: 5, max: 1 } },
  },
});
assert.equal(refused.error?.faults?.[0]?.path.startsWith("spec.scaling"), true, JSON.stringify(refused.error));

const split = await control.PUT("/api/v1/functions/{namespace}/{name}/traffic", {
  params: { path: { namespace: "default", name: "lecture" } },
  body: { traffic: [{ version: 1, percent: 100 }] },
});
assert.equal(split.data?.traffic[0]?.version, 1);

const lecture = createClient<Lecture>({ baseUrl: server + "/functions/default/lecture" });
const answer = await lecture.POST("/v2/models/lecture/infer", {
  body: {
    inputs: [
      { name: "x1", datatype: "FP32", shape: [], data: [2] },
      { name: "x2", datatype: "FP32", shape: [], data: [5] },
    ],
    outputs: [{ name: "loss" }, { name: "x1_grad" }],
  },
});
assert(answer.data, JSON.stringify(answer.error));
for (const output of answer.data.outputs) {
  const expected = output.name === "loss" ? 11.652071 : 5.5;
  assert(Math.abs(output.data[0]! - expected) < 1e-4, JSON.stringify(output));
}

const wrong = await lecture.POST("/v2/models/lecture/infer", { body: { inputs: [] } });
assert.match(wrong.error?.error ?? "", /x1/);

// What the types forbid does not compile.
// @ts-expect-error
await lecture.POST("/v2/models/lecture/infer", { body: { inputs: [{ name: "x3", datatype: "FP32", shape: [], data: [2] }] } });
