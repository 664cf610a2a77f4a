package io.knabla.runtime.units;

import java.io.IOException;

/** Serves {@code AnalyticModels.tanh}, or the named sample, until standard input ends, for manual tests of clients. */
public final class ServeByHand {
    private ServeByHand() {}

    public static void main(String[] arguments) throws IOException {
        try (var unit = arguments.length == 0 ? HandModels.tanh() : HandUnit.sample(arguments[0]);
                var replica = new HandReplica(unit)) {
            System.out.println(replica.request("").build().uri());
            System.in.transferTo(System.out);
        }
    }
}
