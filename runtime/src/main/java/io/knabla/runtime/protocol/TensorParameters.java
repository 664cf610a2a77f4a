package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

/** The {@code parameters} of one input or output; unknown ones are skipped. */
final class TensorParameters {
    /** Null if absent. */
    Boolean binary;

    /** -1 if absent. */
    long binarySize = -1;

    /** Null if the tensor is not in shared memory. */
    String region;

    long offset;
    long byteSize = -1;

    private TensorParameters() {}

    static TensorParameters read(JsonScanner json) {
        var parameters = new TensorParameters();
        for (String name = json.firstMember("parameters"); name != null; name = json.nextMember()) {
            parameters.field(json, name);
        }
        if (parameters.region != null && parameters.byteSize < 0) {
            throw bad(
                    "the parameter shared_memory_region needs shared_memory_byte_size beside it; it is missing for region '%s'",
                    Signature.cut(parameters.region));
        }
        return parameters;
    }

    private void field(JsonScanner json, String name) {
        switch (name) {
            case "binary_data" -> binary = bool(json, name);
            case "binary_data_size" -> binarySize = bytes(json, name, Integer.MAX_VALUE);
            case "shared_memory_region" -> region = json.string("the name of a region");
            case "shared_memory_offset" -> offset = bytes(json, name, Long.MAX_VALUE);
            case "shared_memory_byte_size" -> byteSize = bytes(json, name, Integer.MAX_VALUE);
            case "classification" ->
                throw new ProtocolException(
                        501,
                        "the parameter 'classification' is not supported; take the output as it is and pick its largest elements");
            default -> json.skip();
        }
    }

    static boolean bool(JsonScanner json, String name) {
        if (json.takeLiteral("true")) {
            return true;
        }
        if (json.takeLiteral("false")) {
            return false;
        }
        throw json.unexpected("true or false for " + name);
    }

    private static long bytes(JsonScanner json, String name, long most) {
        long value = JsonNumbers.readInteger(json, 64, true);
        if (value < 0 || value > most) {
            throw bad("%s is %d; write the number of bytes", name, value);
        }
        return value;
    }
}
