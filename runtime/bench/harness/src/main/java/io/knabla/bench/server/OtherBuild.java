package io.knabla.bench.server;

/** Names and goals of rows whose reference is another build of Knabla. */
public final class OtherBuild {
    /** For times and memory. */
    public static final String AT_MOST = "at most 1.05 times the other build";

    /** For rates. */
    public static final String AT_LEAST = "at least 0.95 times the other build";

    private OtherBuild() {}

    /** @param what is measured of it, such as a replica */
    public static String named(String what) {
        return what + " of the other build";
    }
}
