package io.knabla.runtime.serve.tesseract;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.engine.Answer;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.serve.http.HttpRequest;
import io.knabla.runtime.serve.http.HttpResponse;
import io.knabla.runtime.serve.tesseract.Body.Chosen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Serves the Tesseract endpoints of one function. Thread-safe. */
public final class Tesseract {
    private static final JsonFactory JSON = new JsonFactory();

    private final Engine engine;
    private final Optional<Offer> offer;
    private final String why;
    private final byte[] schema;

    public Tesseract(Engine engine, UnitManifest manifest, String model, String version) {
        this.engine = engine;
        this.offer = Offer.of(manifest);
        this.why = Offer.why(manifest);
        this.schema = OpenApi.of(model, version, offer);
    }

    /**
     * Answers a request to one of these endpoints. Engine failures are thrown.
     *
     * @param endpoint such as {@code /apply}
     */
    public HttpResponse answer(String endpoint, HttpRequest request) {
        try {
            return switch (endpoint) {
                case "/health" -> HttpResponse.json(200, written(out -> health(out)));
                case "/openapi.json" -> HttpResponse.json(200, schema);
                case "/abstract_eval" -> abstractEval(request);
                case "/apply" -> apply(request);
                case "/vector_jacobian_product" -> vjp(request);
                case "/jacobian_vector_product" -> jvp(request);
                default -> jacobian(request);
            };
        } catch (Refused refused) {
            return refused(refused);
        }
    }

    private static HttpResponse refused(Refused refused) {
        return HttpResponse.json(refused.status(), written(out -> Details.write(out, refused)));
    }

    /** An error body in the form of these endpoints. */
    public static byte[] error(String sentence) {
        return written(out -> Details.write(out, Refused.with(500, "%s", sentence)));
    }

    private static void health(JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("status", "ok");
        out.writeEndObject();
    }

    private Offer offered() {
        return offer.orElseThrow(() -> Refused.with(404, "%s", why));
    }

    private EntryPoint offered(Optional<EntryPoint> entry, String endpoint) {
        return entry.orElseThrow(
                () -> Refused.with(404, "this function has no %s; deploy the model with type: Gradient", endpoint));
    }

    private HttpResponse apply(HttpRequest request) {
        Offer offered = offered();
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new Body(request.body(), request.bodyLength());
        try (var calls = calls(offered, body, request)) {
            body.end();
            return calls.apply(answer -> arrays(encoding, named(answer.outputs(), Function.identity())));
        }
    }

    private Calls calls(Offer offered, Body body, HttpRequest request) {
        return new Calls(engine, offered, body.inputs(offered.inputs()), request.arrived());
    }

    private static Map<String, Tensor> named(List<Tensor> tensors, Function<String, String> naming) {
        var named = new LinkedHashMap<String, Tensor>();
        tensors.forEach(tensor -> named.put(naming.apply(tensor.name()), tensor));
        return named;
    }

    private HttpResponse abstractEval(HttpRequest request) {
        Offer offered = offered();
        var body = new Body(request.body(), request.bodyLength());
        Map<String, long[]> shapes = Abstract.shapes(engine, offered, body, request.arrived());
        return HttpResponse.json(200, written(out -> {
            out.writeStartObject();
            for (TensorSpec output : offered.outputs()) {
                out.writeFieldName(output.name());
                Abstract.write(out, output, shapes.get(output.name()));
            }
            out.writeEndObject();
        }));
    }

    private HttpResponse vjp(HttpRequest request) {
        Offer offered = offered();
        EntryPoint entry = offered(offered.vjp(), "vector_jacobian_product");
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new Body(request.body(), request.bodyLength());
        List<Chosen> inputs = body.chosen("vjp_inputs", offered.differentiableInputs());
        List<Chosen> outputs = body.chosen("vjp_outputs", offered.differentiableOutputs());
        var given = body.vector("cotangent_vector", outputs);
        try (var calls = calls(offered, body, request)) {
            body.end();
            var products = new Products(calls);
            var vector =
                    products.vector(entry, Offer.COTANGENT, read(given, calls, products, entry, body, Offer.COTANGENT));
            return products.run(
                    entry,
                    vector,
                    Products.gradients(inputs),
                    answer -> arrays(encoding, chosen(inputs, answer, "", Offer.GRADIENT)));
        }
    }

    private HttpResponse jvp(HttpRequest request) {
        Offer offered = offered();
        EntryPoint entry = offered(offered.jvp(), "jacobian_vector_product");
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new Body(request.body(), request.bodyLength());
        List<Chosen> inputs = body.chosen("jvp_inputs", offered.differentiableInputs());
        List<Chosen> outputs = body.chosen("jvp_outputs", offered.differentiableOutputs());
        var given = body.vector("tangent_vector", inputs);
        try (var calls = calls(offered, body, request)) {
            body.end();
            var products = new Products(calls);
            var vector =
                    products.vector(entry, Offer.TANGENT, read(given, calls, products, entry, body, Offer.TANGENT));
            return products.run(
                    entry,
                    vector,
                    Products.derivatives(outputs),
                    answer -> arrays(encoding, chosen(outputs, answer, Offer.DERIVATIVE, "")));
        }
    }

    private static Map<String, Tensor> read(
            Map<String, Paths.Leaf> given, Calls calls, Products products, EntryPoint entry, Body body, String prefix) {
        var parts = new LinkedHashMap<String, Tensor>();
        given.forEach((name, leaf) -> products.spec(entry, prefix, name)
                .map(spec -> body.exactly(leaf, spec))
                .ifPresent(tensor -> parts.put(name, calls.keep(tensor))));
        body.check();
        return parts;
    }

    private static Map<String, Tensor> chosen(List<Chosen> chosen, Answer answer, String before, String after) {
        var named = new LinkedHashMap<String, Tensor>();
        chosen.forEach(one -> named.put(one.given(), Products.find(answer, before + one.name() + after)));
        return named;
    }

    private HttpResponse jacobian(HttpRequest request) {
        Offer offered = offered();
        if (offered.jvp().isEmpty()) {
            offered(offered.vjp(), "jacobian");
        }
        Encoding encoding = Encoding.accepted(request.header("Accept"));
        var body = new Body(request.body(), request.bodyLength());
        List<Chosen> inputs = body.chosen("jac_inputs", offered.differentiableInputs());
        List<Chosen> outputs = body.chosen("jac_outputs", offered.differentiableOutputs());
        try (var calls = calls(offered, body, request)) {
            body.end();
            var blocks = Jacobian.of(new Products(calls), offered, inputs, outputs);
            return answered(encoding, out -> {
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

    private static HttpResponse arrays(Encoding encoding, Map<String, Tensor> tensors) {
        return answered(encoding, out -> new ArrayWriter(out, encoding).write(tensors));
    }

    private static HttpResponse answered(Encoding encoding, Writing writing) {
        byte[] bytes = written(writing);
        return new HttpResponse(200, "application/" + encoding.format(), "", bytes, bytes.length);
    }

    /** Writes a JSON body. */
    interface Writing {
        void to(JsonGenerator out) throws IOException;
    }

    static byte[] written(Writing writing) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            writing.to(out);
        } catch (IOException impossible) {
            throw new IllegalStateException("cannot write to memory", impossible);
        }
        return bytes.toByteArray();
    }
}
