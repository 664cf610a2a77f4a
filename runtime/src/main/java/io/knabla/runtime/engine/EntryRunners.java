package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runners for a unit's entry graphs beside the main one, each opened on first use. Thread-safe. */
final class EntryRunners {
    /** Entries that can answer {@code infer} if no gradient is requested, cheapest first. */
    private static final List<String> FORWARD = List.of("apply", "value");

    private final Path folder;
    private final GraphManifest manifest;
    private final int threads;
    private final Device device;
    private final HostMemory memory;
    private final Map<String, SessionRunner> open = new HashMap<>();

    EntryRunners(Path folder, GraphManifest manifest, EngineSettings settings, HostMemory memory) {
        this.folder = folder;
        this.manifest = manifest;
        this.threads = settings.threads();
        this.device = settings.device();
        this.memory = memory;
    }

    /** The runner of this entry; opens its session on first use. */
    synchronized SessionRunner runner(EntryPoint entry) {
        SessionRunner known = open.get(entry.name());
        if (known != null) {
            return known;
        }
        try {
            var session = Sessions.open(
                    folder.resolve(entry.file()), entry.optimization(), manifest.weightBytes(), threads, true, device);
            var runner = new SessionRunner(session, entry.inputs(), entry.outputs(), memory);
            open.put(entry.name(), runner);
            return runner;
        } catch (OrtException refused) {
            throw device.unloadable(refused);
        }
    }

    /** Finds an entry that computes the wanted outputs of the main graph with less work; empty if there is none. */
    Optional<EntryRun> cheaperRun(List<Tensor> inputs, boolean[] wanted) {
        for (String name : FORWARD) {
            Optional<EntryRun> less = manifest.entry(name).flatMap(entry -> cheaperRun(entry, inputs, wanted));
            if (less.isPresent()) {
                return less;
            }
        }
        return Optional.empty();
    }

    private Optional<EntryRun> cheaperRun(EntryPoint entry, List<Tensor> inputs, boolean[] wanted) {
        List<TensorSpec> all = manifest.outputs();
        boolean[] mine = new boolean[entry.outputs().size()];
        int[] order = new int[all.size()];
        int count = 0;
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i]) {
                int at = index(entry.outputs(), all.get(i).name());
                if (at < 0) {
                    return Optional.empty();
                }
                mine[at] = true;
                order[count++] = at;
            }
        }
        List<Tensor> needed = inputs.stream()
                .filter(input -> index(entry.inputs(), input.name()) >= 0)
                .toList();
        return needed.size() == entry.inputs().size()
                ? Optional.of(new EntryRun(entry, needed, mine, Arrays.copyOf(order, count)))
                : Optional.empty();
    }

    private static int index(List<TensorSpec> specs, String name) {
        for (int i = 0; i < specs.size(); i++) {
            if (specs.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Run of an entry in place of the main graph.
     *
     * @param order order of the main graph's wanted outputs, as indices into the entry's outputs
     */
    record EntryRun(EntryPoint entry, List<Tensor> inputs, boolean[] wanted, int[] order) {
        /** Reorders the entry's outputs into the main graph's order. */
        List<Tensor> ordered(List<Tensor> outputs) {
            int[] position = new int[wanted.length];
            int count = 0;
            for (int i = 0; i < wanted.length; i++) {
                position[i] = wanted[i] ? count++ : -1;
            }
            return Arrays.stream(order)
                    .mapToObj(at -> outputs.get(position[at]))
                    .toList();
        }
    }

    synchronized void close() throws OrtException {
        for (SessionRunner runner : open.values()) {
            runner.close();
        }
    }
}
