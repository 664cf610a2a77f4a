package io.knabla.functions.analyze;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The order in which ONNX Runtime runs the nodes of a graph: not that of the file, but a depth-first search backwards
 * from the nodes that feed no other, the last of them first, and among the nodes that feed one the last first, too
 * ({@code GraphViewer} of ONNX Runtime 1.29). Nodes keep their places only as long as no optimisation of the engine
 * replaces them.
 */
public final class EngineOrder {
    private final List<int[]> sources;
    private final boolean[] visited;
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final int[] order;
    private int done;

    private EngineOrder(List<int[]> sources) {
        this.sources = sources;
        this.visited = new boolean[sources.size()];
        this.order = new int[sources.size()];
    }

    /**
     * @param sources for every node, by its place in the file, the places of the nodes that it takes values from; may
     *     repeat
     * @return places in the order of running
     */
    public static int[] of(List<int[]> sources) {
        var search = new EngineOrder(sources);
        search.run();
        return search.order;
    }

    private void run() {
        boolean[] feeds = new boolean[sources.size()];
        sources.forEach(from -> Arrays.stream(from).forEach(node -> feeds[node] = true));
        for (int node = 0; node < feeds.length; node++) {
            if (!feeds[node]) {
                stack.push(node);
            }
        }
        while (!stack.isEmpty()) {
            int entry = stack.pop();
            if (entry < 0) {
                order[done++] = ~entry;
            } else if (!visited[entry]) {
                enter(entry);
            }
        }
    }

    /** A node leaves after all that it needs; on the stack that is its complement. */
    private void enter(int node) {
        visited[node] = true;
        stack.push(~node);
        int[] from = sources.get(node).clone();
        Arrays.sort(from);
        for (int source : from) {
            if (!visited[source]) {
                stack.push(source);
            }
        }
    }
}
