package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** OpenAPI schemas that are the same for every function. */
record FixedSchemas(JsonGenerator out) {
    private static final String ALL = """
            "Base64ArrayData": {"type": "object", "additionalProperties": false, "required": ["buffer", "encoding"],
              "description": "The bytes, little-endian, in row-major order.",
              "properties": {"buffer": {"type": "string"}, "encoding": {"type": "string", "const": "base64"},
                "compression": {"type": "null"}}},
            "JsonArrayData": {"type": "object", "additionalProperties": false, "required": ["buffer", "encoding"],
              "description": "Numbers, nested as the shape says or flat. In answers null stands for what is not finite.",
              "properties": {"buffer": {}, "encoding": {"type": "string", "const": "json"},
                "compression": {"type": "null"}}},
            "ShapeDType": {"type": "object", "required": ["shape", "dtype"],
              "properties": {"shape": {"type": "array", "items": {"type": "integer"}}, "dtype": {"type": "string"}}},
            "ValidationError": {"type": "object", "required": ["loc", "msg", "type"],
              "properties": {"loc": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
                "msg": {"type": "string"}, "type": {"type": "string"}}},
            "HTTPValidationError": {"type": "object",
              "properties": {"error": {"type": "string"},
                "detail": {"type": "array", "items": {"$ref": "#/components/schemas/ValidationError"}}}}
            """;

    /** Writes them into the JSON object that is currently open. */
    void write() throws IOException {
        out.writeRaw("," + ALL);
    }
}
