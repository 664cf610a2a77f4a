package io.knabla.storage.s3.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Ports that were all free at the same time a moment ago. */
final class FreePorts {
    private final Queue<Integer> left;

    private FreePorts(List<Integer> free) {
        this.left = new ArrayDeque<>(free);
    }

    static FreePorts free(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return new FreePorts(held.stream().map(ServerSocket::getLocalPort).toList());
        } finally {
            for (ServerSocket one : held) {
                one.close();
            }
        }
    }

    int next() {
        return left.remove();
    }
}
