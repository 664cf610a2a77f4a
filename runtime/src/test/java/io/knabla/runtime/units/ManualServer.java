package io.knabla.runtime.units;

import java.io.IOException;

/** Serves {@code AnalyticModels.tanh}, or the named sample, until standard input ends, for manual tests of clients. */
public final class ManualServer {
    private ManualServer() {}

    public static void main(String[] arguments) throws IOException {
        try (var unit = arguments.length == 0 ? AnalyticModels.tanh() : TestUnit.sample(arguments[0]);
                var replica = new TestReplica(unit)) {
            System.out.println(replica.request("").build().uri());
            System.in.transferTo(System.out);
        }
    }
}
