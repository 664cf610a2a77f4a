package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;

/** A server that can also be a process which waits in a pool until it is told what to serve. */
public interface PooledServer extends Server {
    /** Command of a process that waits for a unit. */
    ChildProcess.Command poolMember();

    /** What a pool member reads to serve the unit at this port. */
    byte[] assignment(int port);
}
