package io.knabla.runtime.grpc;

/**
 * gRPC's server reflection, versions v1 and v1alpha, which have the same messages: tells clients such as
 * {@code grpcurl} which services, methods and messages there are.
 */
final class Reflection {
    /** A request names one symbol or one file. */
    static final int LONGEST_REQUEST = 4 << 10;

    private static final int NOT_FOUND = 5;
    private static final int UNIMPLEMENTED = 12;

    private Reflection() {}

    static boolean handles(String path) {
        return path.equals("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
                || path.equals("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
    }

    /** Turns a {@code ServerReflectionRequest} into its {@code ServerReflectionResponse}. */
    static WireWriter answer(WireReader request) {
        byte[] original = new byte[request.size()];
        request.copyTo(original, 0);
        String host = "";
        var answer = new WireWriter(0);
        for (int field = request.next(); field != 0; field = request.next()) {
            switch (field) {
                case 1 -> host = request.text();
                case 3 -> answer = file(Descriptors.offered().file(request.text()), "file");
                case 4 -> answer = file(Descriptors.offered().fileOf(request.text()), "symbol");
                case 7 -> {
                    request.skip();
                    answer = services();
                }
                default -> {
                    request.skip();
                    answer = error(UNIMPLEMENTED, "only services, symbols and files are told; there are no extensions");
                }
            }
        }
        return answer(host, original, answer);
    }

    private static WireWriter answer(String host, byte[] original, WireWriter answer) {
        return new WireWriter(original.length + 64)
                .text(1, host)
                .bytes(2, original, 0, original.length)
                .append(answer);
    }

    private static WireWriter file(byte[] file, String what) {
        if (file == null) {
            return error(
                    NOT_FOUND,
                    "there is no such %s; the services are %s"
                            .formatted(
                                    what,
                                    String.join(" and ", Descriptors.offered().services())));
        }
        return new WireWriter(file.length + 16)
                .message(4, new WireWriter(file.length + 16).bytes(1, file, 0, file.length));
    }

    private static WireWriter services() {
        var list = new WireWriter(128);
        Descriptors.offered().services().forEach(name -> list.message(1, new WireWriter(64).text(1, name)));
        return new WireWriter(128).message(6, list);
    }

    private static WireWriter error(int code, String sentence) {
        return new WireWriter(256)
                .message(7, new WireWriter(256).number(1, code).text(2, sentence));
    }
}
