package io.knabla.runtime.grpc;

import java.io.IOException;

/** Triton's calls that register regions of shared memory, list them, and unregister them. */
final class SharedMemoryCalls {
    private final GrpcCall call;
    private final String root;

    /**
     * Fields of a request, of which a status and an unregistration have only the name.
     *
     * @param name empty for all regions
     */
    private record Region(String name, String key, long offset, long byteSize) {
        static Region read(WireReader in) {
            String name = "";
            String key = "";
            long offset = 0;
            long byteSize = 0;
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> name = in.text();
                    case 2 -> key = in.text();
                    case 3 -> offset = in.number();
                    case 4 -> byteSize = in.number();
                    default -> in.skip();
                }
            }
            return new Region(name, key, offset, byteSize);
        }

        String json() {
            var json = Json.quoted(new StringBuilder("{\"key\":"), key);
            return json.append(",\"offset\":")
                    .append(offset)
                    .append(",\"byte_size\":")
                    .append(byteSize)
                    .append('}')
                    .toString();
        }
    }

    SharedMemoryCalls(GrpcCall call, String root) {
        this.call = call;
        this.root = root;
    }

    WireWriter status(WireReader request) throws IOException {
        return regions(call.get(path(Region.read(request)) + "/status"));
    }

    WireWriter register(WireReader request) throws IOException {
        Region region = Region.read(request);
        return call.post(path(region) + "/register", region.json());
    }

    WireWriter unregister(WireReader request) throws IOException {
        return call.post(path(Region.read(request)) + "/unregister", "{}");
    }

    private String path(Region region) {
        return root + (region.name.isEmpty() ? "" : "/region/" + ModelName.encoded(region.name));
    }

    /** A map from the name of each region to its description. */
    private static WireWriter regions(Object list) {
        var message = new WireWriter(128);
        if (list instanceof Iterable<?> regions) {
            for (Object region : regions) {
                String name = Json.text(region, "name");
                var description = new WireWriter(64)
                        .text(1, name)
                        .text(2, Json.text(region, "key"))
                        .number(3, Json.number(region, "offset"))
                        .number(4, Json.number(region, "byte_size"));
                message.message(1, new WireWriter(96).text(1, name).message(2, description));
            }
        }
        return message;
    }
}
