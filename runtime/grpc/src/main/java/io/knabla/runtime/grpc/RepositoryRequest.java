package io.knabla.runtime.grpc;

import io.knabla.runtime.paths.ModelAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A request to load or unload a model of the repository.
 *
 * @param parameters their names; the handler refuses by name what it cannot do, whatever the value
 */
record RepositoryRequest(String model, List<String> parameters) {
    static RepositoryRequest read(WireReader in) {
        String model = "";
        List<String> parameters = new ArrayList<>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 2 -> model = in.text();
                case 3 -> parameters.add(key(in.message()));
                default -> in.skip();
            }
        }
        return new RepositoryRequest(model, parameters);
    }

    /** Key of a map's entry, its first field. */
    private static String key(WireReader entry) {
        String key = "";
        for (int field = entry.next(); field != 0; field = entry.next()) {
            if (field == 1) {
                key = entry.text();
            } else {
                entry.skip();
            }
        }
        return key;
    }

    /** @param action a load or an unload */
    WireWriter post(ModelAction action, GrpcCall call) throws IOException {
        return call.post(action.path(ModelName.encoded(model)), json());
    }

    private String json() {
        var json = new StringBuilder("{\"parameters\":{");
        for (String parameter : parameters) {
            Json.quoted(json.append(json.charAt(json.length() - 1) == '{' ? "" : ","), parameter)
                    .append(":true");
        }
        return json.append("}}").toString();
    }
}
