package io.knabla.bench.server;

import io.knabla.bench.machine.Child;
import io.knabla.bench.wire.Call;
import java.util.Map;

/** A program that serves one model on one port, told before it starts. */
public interface Server {
    String name();

    Child.Command command(int port);

    /** The request that its first answer is measured with. */
    Call call(int port);

    /** What the program itself says about its start, in milliseconds, by phase; may be empty. */
    Map<String, Double> phases(String output);
}
