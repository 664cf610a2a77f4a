package io.knabla.functions.compiler.analyze;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Computes the order in which ONNX Runtime runs the nodes of a graph. It is not the order of the file but a reverse
 * depth-first search from the nodes without consumers; among these and among the producers of a node, the last one
 * comes first ({@code GraphViewer} of ONNX Runtime 1.29). Holds only for nodes that no optimisation of the engine
 * replaces.
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
     * @param sources for every node in file order, the file positions of its producers; may repeat
     * @return file positions in execution order
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

    /** A node is emitted after its producers; the stack marks this with the complement of its number. */
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
