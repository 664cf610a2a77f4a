package io.knabla.functions.decoder.folder;

import io.knabla.functions.Fault;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.safetensors.TensorEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Looks up a folder's tensors by name and checks them. Each is asked for with the shape that it must have; afterwards
 * {@link #faults} tells what was missing or of another shape, and what nobody asked for.
 */
public final class WeightIndex {
    /** Tensors that can be computed from config.json, which older files have. */
    private static final String COMPUTED = ".rotary_emb.inv_freq";

    /** So many faults are listed one by one. */
    private static final int LISTED = 20;

    private final SortedMap<String, StoredTensor> tensors;
    /** Each once, however often a tensor is asked for. */
    private final Set<Fault> faults = new LinkedHashSet<>();

    private final Set<String> asked = new HashSet<>();

    WeightIndex(Map<String, StoredTensor> tensors) {
        this(tensors, List.of());
    }

    /** @param before faults of the folder's other files, which are told first */
    WeightIndex(Map<String, StoredTensor> tensors, List<Fault> before) {
        this.tensors = new TreeMap<>(tensors);
        faults.addAll(before);
    }

    /** The tensor; a stand-in without content if it is absent or of another shape, which is a fault. */
    public StoredTensor get(String name, long... shape) {
        List<Long> expected = LongStream.of(shape).boxed().toList();
        asked.add(name);
        StoredTensor found = tensors.get(name);
        if (found == null) {
            faults.add(new Fault(name, "no such tensor in the folder; one of shape %s is needed".formatted(expected)));
        } else if (!found.entry().shape().equals(expected)) {
            faults.add(new Fault(
                    name,
                    "has shape %s; by %sconfig.json it must be %s"
                            .formatted(found.entry().shape(), module(name), expected)));
        } else if (!WeightTypes.KNOWN.contains(found.entry().type())) {
            faults.add(new Fault(
                    name,
                    "has elements of type %s; known are FP32, FP16, BF16"
                            .formatted(found.entry().type())));
        } else {
            return found;
        }
        return new StoredTensor(
                Path.of(""), 0, new TensorEntry(name, DataType.FP32, expected, 0, 0), StoredTensor.Layout.ROWS);
    }

    /** Name of the folder that its file and the file of its sizes are in, and a slash; empty for the model's. */
    private static String module(String tensor) {
        return tensor.substring(0, tensor.lastIndexOf('/') + 1);
    }

    /** Takes tensors whose names begin so as not there: what is computed does without them. */
    public void leaveOut(String prefix) {
        tensors.keySet().removeIf(name -> name.startsWith(prefix));
    }

    public boolean has(String name) {
        return tensors.containsKey(name);
    }

    /** Elements of all tensors that were asked for. */
    public long parameters() {
        return asked.stream()
                .filter(tensors::containsKey)
                .mapToLong(name -> tensors.get(name).elements())
                .sum();
    }

    /** All that was wrong with what was asked for so far, and all tensors that were not. */
    public List<Fault> faults() {
        var all = new ArrayList<>(faults);
        tensors.keySet().stream()
                .filter(name -> !asked.contains(name) && !name.endsWith(COMPUTED))
                .map(name -> new Fault(
                        name, "this architecture has no such tensor, so the model would compute something else"))
                .forEach(all::add);
        if (all.size() <= LISTED) {
            return all;
        }
        var listed = new ArrayList<>(all.subList(0, LISTED));
        listed.add(new Fault("", "… and %d more tensors".formatted(all.size() - LISTED)));
        return listed;
    }
}
