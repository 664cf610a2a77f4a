package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes the function's OpenAPI document, with its tensor names, shapes and types. */
final class OpenApi {
    private final JsonGenerator out;
    private final Optional<Capabilities> offer;

    private OpenApi(JsonGenerator out, Optional<Capabilities> offer) {
        this.out = out;
        this.offer = offer;
    }

    static byte[] of(String model, String version, Optional<Capabilities> offer) {
        return TesseractEndpoints.toJson(out -> new OpenApi(out, offer).write(model, version));
    }

    /** An endpoint and the names of its request and response schemas. */
    private record Endpoint(String path, String summary, String takes, String gives) {}

    private List<Endpoint> endpoints() {
        var endpoints = new ArrayList<Endpoint>();
        if (offer.isEmpty()) {
            return endpoints;
        }
        endpoints.add(new Endpoint("/apply", "Run the model", "ApplyInputSchema", "ApplyOutputSchema"));
        if (offer.get().vjp().isPresent() || offer.get().jvp().isPresent()) {
            endpoints.add(new Endpoint(
                    "/jacobian",
                    "All derivatives of outputs by inputs",
                    "JacobianInputSchema",
                    "JacobianOutputSchema"));
        }
        if (offer.get().jvp().isPresent()) {
            endpoints.add(new Endpoint(
                    "/jacobian_vector_product", "The Jacobian times a tangent", "JVPInputSchema", "JVPOutputSchema"));
        }
        if (offer.get().vjp().isPresent()) {
            endpoints.add(new Endpoint(
                    "/vector_jacobian_product", "A cotangent times the Jacobian", "VJPInputSchema", "VJPOutputSchema"));
        }
        endpoints.add(new Endpoint(
                "/abstract_eval",
                "Shapes of the outputs from shapes of the inputs",
                "AbstractInputSchema",
                "AbstractOutputSchema"));
        return endpoints;
    }

    private void write(String model, String version) throws IOException {
        out.writeStartObject();
        out.writeStringField("openapi", "3.1.0");
        out.writeObjectFieldStart("info");
        out.writeStringField("title", model);
        out.writeStringField("version", version);
        out.writeEndObject();
        out.writeObjectFieldStart("paths");
        for (Endpoint endpoint : endpoints()) {
            path(endpoint);
        }
        health();
        out.writeEndObject();
        if (offer.isPresent()) {
            out.writeObjectFieldStart("components");
            new Schemas(out, offer.get()).write();
            out.writeEndObject();
        }
        list("x-supported-output-formats", formats());
        list("x-supported-gpu-transports", List.of("none"));
        list("x-supported-compressions", List.of("none"));
        out.writeEndObject();
    }

    private static List<String> formats() {
        return java.util.Arrays.stream(Encoding.values()).map(Encoding::format).toList();
    }

    private void list(String name, List<String> values) throws IOException {
        out.writeArrayFieldStart(name);
        for (String value : values) {
            out.writeString(value);
        }
        out.writeEndArray();
    }

    private void path(Endpoint endpoint) throws IOException {
        out.writeObjectFieldStart(endpoint.path());
        out.writeObjectFieldStart("post");
        out.writeStringField("summary", endpoint.summary());
        out.writeStringField("operationId", endpoint.path().substring(1));
        out.writeArrayFieldStart("parameters");
        out.writeStartObject();
        out.writeStringField("name", "accept");
        out.writeStringField("in", "header");
        out.writeBooleanField("required", false);
        out.writeObjectFieldStart("schema");
        out.writeStringField("type", "string");
        out.writeEndObject();
        out.writeEndObject();
        out.writeEndArray();
        out.writeObjectFieldStart("requestBody");
        out.writeBooleanField("required", true);
        content(endpoint.takes());
        out.writeEndObject();
        out.writeObjectFieldStart("responses");
        response("200", "The answer", endpoint.gives());
        response("422", "What is wrong with the request", "HTTPValidationError");
        out.writeEndObject();
        out.writeEndObject();
        out.writeEndObject();
    }

    private void response(String status, String description, String schema) throws IOException {
        out.writeObjectFieldStart(status);
        out.writeStringField("description", description);
        content(schema);
        out.writeEndObject();
    }

    private void content(String schema) throws IOException {
        out.writeObjectFieldStart("content");
        out.writeObjectFieldStart("application/json");
        out.writeFieldName("schema");
        Schemas.reference(out, schema);
        out.writeEndObject();
        out.writeEndObject();
    }

    private void health() throws IOException {
        out.writeObjectFieldStart("/health");
        out.writeObjectFieldStart("get");
        out.writeStringField("summary", "Whether the function is well");
        out.writeStringField("operationId", "health");
        out.writeObjectFieldStart("responses");
        out.writeObjectFieldStart("200");
        out.writeStringField("description", "It is");
        out.writeEndObject();
        out.writeEndObject();
        out.writeEndObject();
        out.writeEndObject();
    }
}
