package io.knabla.runtime.protocol;

/**
 * The body of a {@code load} of Triton's model repository extension. A version of a function never changes, so what
 * would make a load change the model is refused.
 */
public final class LoadRequest {
    private LoadRequest() {}

    /**
     * Checks the first {@code length} bytes of a body, which may be empty.
     *
     * @throws ProtocolException 501 for another configuration or files of the model, 400 for what is no JSON object
     */
    public static void check(byte[] body, int length) {
        if (length == 0) {
            return;
        }
        var json = new JsonScanner(body, 0, length);
        json.skipByteOrderMark();
        for (String name = json.firstMember("the request"); name != null; name = json.nextMember()) {
            if (name.equals("parameters")) {
                parameters(json);
            } else {
                json.skip();
            }
        }
        json.expectEnd();
    }

    private static void parameters(JsonScanner json) {
        for (String name = json.firstMember("parameters"); name != null; name = json.nextMember()) {
            if (name.equals("config") || name.startsWith("file:")) {
                throw new ProtocolException(
                        501,
                        "the parameter '%s' of load is not supported: a load serves the version as it was deployed; deploy the function with another model or function.yaml instead (./knabla deploy), and leave the parameter away"
                                .formatted(Signature.cut(name)));
            }
            json.skip();
        }
    }
}
