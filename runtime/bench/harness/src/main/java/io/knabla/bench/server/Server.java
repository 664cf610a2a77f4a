package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.wire.Call;
import java.util.Map;

/** A program that serves one model on a port given at its start. */
public interface Server {
    String name();

    ChildProcess.Command command(int port);

    /** The request whose first correct answer is measured. */
    Call call(int port);

    /** Milliseconds by start phase, as the program reports them in its output; may be empty. */
    Map<String, Double> phases(String output);
}
