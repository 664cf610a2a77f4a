package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.tesseract.RequestBody.SelectedTensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Answers the calls of the Tesseract protocol to one function. Thread-safe. */
public final class TesseractCalls {
    private static final JsonFactory JSON = new JsonFactory();

    private final Engine engine;
    private final Optional<Capabilities> offer;
    private final String why;
    private final Supplier<byte[]> openApi;
    private final LongConsumer counted;
    private volatile byte[] document;

    /** @param counted receives the tensor elements of each answered request, inputs and outputs */
    public TesseractCalls(Engine engine, GraphManifest manifest, String model, String version, LongConsumer counted) {
        this.engine = engine;
        this.counted = counted;
        this.offer = Capabilities.of(manifest);
        this.why = Capabilities.unsupportedReason(manifest);
        this.openApi = () -> OpenApi.of(model, version, manifest, offer);
    }

    /**
     * Answers a request to one of these endpoints. Engine failures are thrown.
     *
     * @param endpoint such as {@code /apply}
     */
    public HttpResponse answer(String endpoint, HttpRequest request) {
        try {
            return switch (endpoint) {
                case "/health" -> HttpResponse.json(200, toJson(out -> health(out)));
                case "/openapi.json" -> HttpResponse.json(200, openApi());
                case "/abstract_eval" -> abstractEval(request);
                case "/apply" -> apply(request);
                case "/vector_jacobian_product" -> vjp(request);
                case "/jacobian_vector_product" -> jvp(request);
                case "/hessian_vector_product" -> hvp(request);
                default -> jacobian(request);
            };
        } catch (RequestException refused) {
            return refused(refused);
        }
    }

    private static HttpResponse refused(RequestException refused) {
        return HttpResponse.json(refused.status(), toJson(out -> ErrorWriter.write(out, refused)));
    }

    /** An error body in the form of these endpoints. */
    public static byte[] error(String sentence) {
        return toJson(out -> ErrorWriter.write(out, RequestException.withStatus(500, "%s", sentence)));
    }

    /** Expands the document when it is first requested, because most replicas are never asked for it. */
    private byte[] openApi() {
        if (document == null) {
            document = openApi.get();
        }
        return document;
    }

    private static void health(JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("status", "ok");
        out.writeEndObject();
    }

    private Capabilities require() {
        return offer.orElseThrow(() -> RequestException.withStatus(404, "%s", why));
    }

    private EntryPoint require(Optional<EntryPoint> entry, String endpoint) {
        return entry.orElseThrow(() -> RequestException.withStatus(
                404, "this function has no %s; deploy the model with type: Gradient", endpoint));
    }

    private HttpResponse apply(HttpRequest request) {
        Capabilities offered = require();
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new RequestBody(request.body(), request.bodyLength());
        try (var calls = calls(offered, body, request)) {
            body.finish();
            return calls.apply(answer -> arrays(calls, encoding, named(answer.outputs(), Function.identity())));
        }
    }

    private RequestRunner calls(Capabilities offered, RequestBody body, HttpRequest request) {
        return calls(offered, offered.inputs(), body, request);
    }

    private RequestRunner calls(Capabilities offered, List<TensorSpec> inputs, RequestBody body, HttpRequest request) {
        Map<String, Tensor> given = body.inputs(inputs);
        offered.loss().ifPresent(loss -> loss.check(given, body.faults()));
        return new RequestRunner(engine, offered, given, request.arrived());
    }

    private static Map<String, Tensor> named(List<Tensor> tensors, Function<String, String> naming) {
        var named = new LinkedHashMap<String, Tensor>();
        tensors.forEach(tensor -> named.put(naming.apply(tensor.name()), tensor));
        return named;
    }

    private HttpResponse abstractEval(HttpRequest request) {
        Capabilities offered = require();
        var body = new RequestBody(request.body(), request.bodyLength());
        Map<String, long[]> shapes = AbstractEval.shapes(engine, offered, body, request.arrived());
        return HttpResponse.json(200, toJson(out -> {
            out.writeStartObject();
            for (TensorSpec output : offered.outputs()) {
                out.writeFieldName(output.name());
                AbstractEval.write(out, output, shapes.get(output.name()));
            }
            out.writeEndObject();
        }));
    }

    private HttpResponse vjp(HttpRequest request) {
        Capabilities offered = require();
        EntryPoint entry = require(offered.vjp(), "vector_jacobian_product");
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new RequestBody(request.body(), request.bodyLength());
        List<SelectedTensor> inputs = body.select("vjp_inputs", offered.differentiableInputs());
        List<SelectedTensor> outputs = body.select("vjp_outputs", offered.differentiableOutputs());
        var given = body.vector("cotangent_vector", outputs);
        try (var calls = calls(offered, body, request)) {
            body.finish();
            var products = new JacobianProducts(calls);
            var vector = products.vector(
                    entry, Capabilities.COTANGENT, read(given, calls, products, entry, body, Capabilities.COTANGENT));
            return products.run(
                    entry,
                    vector,
                    JacobianProducts.gradients(inputs),
                    answer -> arrays(calls, encoding, chosen(inputs, answer, "", Capabilities.GRADIENT)));
        }
    }

    private HttpResponse jvp(HttpRequest request) {
        Capabilities offered = require();
        EntryPoint entry = require(offered.jvp(), "jacobian_vector_product");
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new RequestBody(request.body(), request.bodyLength());
        List<SelectedTensor> inputs = body.select("jvp_inputs", offered.differentiableInputs());
        List<SelectedTensor> outputs = body.select("jvp_outputs", offered.differentiableOutputs());
        var given = body.vector("tangent_vector", inputs);
        try (var calls = calls(offered, body, request)) {
            body.finish();
            var products = new JacobianProducts(calls);
            var vector = products.vector(
                    entry, Capabilities.TANGENT, read(given, calls, products, entry, body, Capabilities.TANGENT));
            return products.run(
                    entry,
                    vector,
                    JacobianProducts.derivatives(outputs),
                    answer -> arrays(calls, encoding, chosen(outputs, answer, Capabilities.DERIVATIVE, "")));
        }
    }

    private HttpResponse hvp(HttpRequest request) {
        Capabilities offered = require();
        EntryPoint entry = offered.hvp()
                .orElseThrow(
                        () -> RequestException.withStatus(
                                404,
                                "this function has no hessian_vector_product; deploy the model with type: Gradient. If it is one, a gradient of it has no derivative itself: ./knabla differentiate MODEL --kind hvp tells which"));
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new RequestBody(request.body(), request.bodyLength());
        List<TensorSpec> values = offered.hessianValues();
        List<SelectedTensor> of = body.select("hvp_inputs", values);
        var given = body.vector("tangent_vector", of);
        try (var calls = calls(offered, offered.hessianInputs(), body, request)) {
            body.finish();
            var loss = new LossDerivatives(calls);
            var tangents = new LinkedHashMap<String, Tensor>();
            values.stream().filter(value -> given.containsKey(value.name())).forEach(value -> {
                Tensor tangent = body.readExact(given.get(value.name()), loss.tangent(value));
                if (tangent != null) {
                    tangents.put(value.name(), calls.given(tangent));
                }
            });
            body.check();
            return loss.hessianProduct(
                    entry,
                    values,
                    tangents,
                    of,
                    answer -> arrays(calls, encoding, chosen(of, answer, Capabilities.HESSIAN, "")));
        }
    }

    private static Map<String, Tensor> read(
            Map<String, FieldPaths.Leaf> given,
            RequestRunner calls,
            JacobianProducts products,
            EntryPoint entry,
            RequestBody body,
            String prefix) {
        var parts = new LinkedHashMap<String, Tensor>();
        given.forEach((name, leaf) -> products.spec(entry, prefix, name)
                .map(spec -> body.readExact(leaf, spec))
                .ifPresent(tensor -> parts.put(name, calls.given(tensor))));
        body.check();
        return parts;
    }

    private static Map<String, Tensor> chosen(
            List<SelectedTensor> chosen, RunResult answer, String before, String after) {
        var named = new LinkedHashMap<String, Tensor>();
        chosen.forEach(one -> named.put(one.given(), JacobianProducts.find(answer, before + one.name() + after)));
        return named;
    }

    private HttpResponse jacobian(HttpRequest request) {
        Capabilities offered = require();
        if (offered.jvp().isEmpty() && offered.jacobianLoss().isEmpty()) {
            require(offered.vjp(), "jacobian");
        }
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new RequestBody(request.body(), request.bodyLength());
        var selection = JacobianSelection.read(body, offered);
        try (var calls = calls(offered, selection.graphInputs(), body, request)) {
            body.finish();
            var blocks = selection.blocks(calls);
            blocks.values().forEach(row -> calls.count(row.values()));
            return answered(calls, encoding, out -> {
                var arrays = new ArrayWriter(out, encoding);
                out.writeStartObject();
                for (var row : blocks.entrySet()) {
                    out.writeFieldName(row.getKey());
                    arrays.write(row.getValue());
                }
                out.writeEndObject();
            });
        }
    }

    private HttpResponse arrays(RequestRunner calls, Encoding encoding, Map<String, Tensor> tensors) {
        calls.count(tensors.values());
        return answered(calls, encoding, out -> new ArrayWriter(out, encoding).write(tensors));
    }

    private HttpResponse answered(RequestRunner calls, Encoding encoding, JsonBody writing) {
        byte[] bytes = toJson(writing);
        counted.accept(calls.elements());
        return new HttpResponse(200, "application/" + encoding.format(), "", bytes, bytes.length);
    }

    /** Writes a JSON body. */
    interface JsonBody {
        void write(JsonGenerator out) throws IOException;
    }

    static byte[] toJson(JsonBody writing) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            writing.write(out);
        } catch (IOException impossible) {
            throw new IllegalStateException("cannot write to memory", impossible);
        }
        return bytes.toByteArray();
    }
}
