package io.knabla.runtime.units;

import java.io.IOException;

/** Serves {@code HandModels.tanh} until its input ends, for clients that are tried by hand. */
public final class ServeByHand {
    private ServeByHand() {}

    public static void main(String[] arguments) throws IOException {
        try (var unit = HandModels.tanh();
                var replica = new HandReplica(unit)) {
            System.out.println(replica.request("").build().uri());
            System.in.transferTo(System.out);
        }
    }
}
