package io.knabla.runtime.grpc;

import io.knabla.runtime.paths.ModelAction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Name and version of a model, which are the first two fields of several messages. */
final class ModelName {
    private String name = "";
    private String version = "";

    static ModelName of(WireReader in) {
        var model = new ModelName();
        for (int field = in.next(); field != 0; field = in.next()) {
            if (field <= 2) {
                model.read(field, in);
            } else {
                in.skip();
            }
        }
        return model;
    }

    void read(int field, WireReader in) {
        if (field == 1) {
            name = in.text();
        } else {
            version = in.text();
        }
    }

    /** Path of an action on the model in the HTTP protocol. */
    String path(ModelAction action) {
        if (name.isEmpty()) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call names no model");
        }
        return version.isEmpty() ? action.path(encoded(name)) : action.path(encoded(name), encoded(version));
    }

    boolean isEmpty() {
        return name.isEmpty();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
