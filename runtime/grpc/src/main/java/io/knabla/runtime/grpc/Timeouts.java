package io.knabla.runtime.grpc;

/** Parses {@code grpc-timeout}: up to eight digits and a unit. */
final class Timeouts {
    private Timeouts() {}

    static long micros(String text) {
        int last = text.length() - 1;
        if (last < 1 || last > 8 || !text.chars().limit(last).allMatch(c -> c >= '0' && c <= '9')) {
            throw malformed(text);
        }
        long count = Long.parseLong(text, 0, last, 10);
        return switch (text.charAt(last)) {
            case 'H' -> count * 3_600_000_000L;
            case 'M' -> count * 60_000_000L;
            case 'S' -> count * 1_000_000L;
            case 'm' -> count * 1_000L;
            case 'u' -> count;
            case 'n' -> count / 1_000;
            default -> throw malformed(text);
        };
    }

    private static GrpcException malformed(String text) {
        return new GrpcException(
                GrpcStatus.INVALID_ARGUMENT,
                "grpc-timeout is '%s'; write up to 8 digits and one of H, M, S, m, u, n".formatted(text));
    }
}
