package io.knabla.runtime.units;

import java.io.IOException;

/**
 * Serves {@code HandModels.tanh}, or the sample that is named, until its input ends, for clients that are tried by
 * hand.
 */
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
