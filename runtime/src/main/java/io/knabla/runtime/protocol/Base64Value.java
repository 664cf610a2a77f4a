package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.json.Json;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * Bytes in JSON as TensorFlow Serving's REST interface and so KServe's V1 write them: an object {@code {"b64": "…"}}
 * whose only member is the bytes in Base64 (RFC 4648, section 4).
 */
final class Base64Value {
    static final String KEY = "b64";

    private Base64Value() {}

    static boolean is(Json json) {
        return json instanceof Json.Fields(var fields) && fields.size() == 1 && fields.containsKey(KEY);
    }

    /**
     * The bytes of a value that {@link #is} one.
     *
     * @throws ProtocolException if the input holds no texts, or the bytes are none in UTF-8
     */
    static byte[] text(Json.Fields value, TensorSpec spec) {
        if (spec.datatype() != DataType.BYTES) {
            throw bad(
                    "input '%s' is %s, but holds {\"b64\": …}, which is for texts (BYTES); write numbers, or call infer with binary tensors",
                    spec.name(), spec.datatype());
        }
        if (!(value.byName().get(KEY) instanceof Json.Text(var encoded))) {
            throw bad("input '%s' holds a \"b64\" that is no text; write its bytes in Base64", spec.name());
        }
        return BinaryTensorReader.text(ByteBuffer.wrap(decode(encoded, spec)), spec);
    }

    private static byte[] decode(String encoded, TensorSpec spec) {
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException malformed) {
            throw bad(
                    "input '%s' holds a \"b64\" that is not Base64 (RFC 4648, section 4): %s",
                    spec.name(), malformed.getMessage());
        }
    }
}
