package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.json.JsonException;
import io.knabla.runtime.json.JsonTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Body of one request; reads its fields and collects all faults before rejecting it. */
final class RequestBody {
    private static final List<Object> ROOT = List.of("body");

    /** Paths of a tangent or cotangent that are kept beyond those that it must have, to be named in its fault. */
    private static final int SHOWN = 100;

    private final Faults faults = new Faults();
    private final Map<String, Json> fields;
    private final List<String> known = new ArrayList<>();

    /** A tensor that a request selects: the name as given, and the model's name for it. */
    record SelectedTensor(String given, String name) {}

    RequestBody(byte[] bytes, int length) {
        if (!(parse(bytes, length) instanceof Json.Fields(var read))) {
            throw RequestException.invalid(List.of(new Fault("model_attributes_type", ROOT, "expected an object")));
        }
        fields = read;
    }

    private static Json parse(byte[] bytes, int length) {
        try {
            return JsonTree.read(bytes, length, true);
        } catch (JsonException malformed) {
            throw RequestException.malformedJson(malformed.getMessage());
        }
    }

    private Optional<Json> field(String name) {
        known.add(name);
        Json value = fields.get(name);
        if (value == null) {
            missing(FieldPaths.append(ROOT, name));
        }
        return Optional.ofNullable(value);
    }

    private void missing(List<Object> place) {
        faults.add(new Fault("missing", place, "Field required"));
    }

    /**
     * Reads the arrays of the field {@code inputs}, by name; adds a fault for each that is missing, unknown or invalid.
     */
    Map<String, Tensor> inputs(List<TensorSpec> specs) {
        var found = new LinkedHashMap<String, Tensor>();
        leaves("inputs", specs).forEach((spec, leaf) -> {
            Tensor tensor = new ArrayReader(faults).read(leaf.array(), spec, leaf.place());
            if (tensor != null) {
                found.put(spec.name(), tensor);
            }
        });
        checkSymbols(specs, found);
        return found;
    }

    /** Finds the unparsed array of each specification in an object field. */
    Map<TensorSpec, FieldPaths.Leaf> leaves(String field, List<TensorSpec> specs) {
        var found = new LinkedHashMap<TensorSpec, FieldPaths.Leaf>();
        Optional<Json> given = field(field);
        if (given.isEmpty()) {
            return found;
        }
        List<Object> place = FieldPaths.append(ROOT, field);
        if (!(given.get() instanceof Json.Fields)) {
            faults.add(new Fault("model_attributes_type", place, "expected an object"));
            return found;
        }
        var unknown = new Faults();
        Map<String, FieldPaths.Leaf> leaves = byName(given.get(), specs, place, unknown);
        for (TensorSpec spec : specs) {
            FieldPaths.Leaf leaf = leaves.get(spec.name());
            if (leaf == null) {
                missing(FieldPaths.append(place, spec.name()));
            } else {
                found.put(spec, leaf);
            }
        }
        faults.addAll(unknown);
        return found;
    }

    /** Finds the arrays that have the name of a specification; adds a fault for each other. */
    private static Map<String, FieldPaths.Leaf> byName(
            Json given, List<TensorSpec> specs, List<Object> place, Faults unknown) {
        var names = specs.stream().map(TensorSpec::name).collect(Collectors.toSet());
        var found = new HashMap<String, FieldPaths.Leaf>();
        FieldPaths.visit(given, place, (path, leaf) -> {
            if (names.contains(path)) {
                found.put(path, leaf);
            } else {
                String why = "the model has no input '%s'".formatted(Fault.cut(path));
                unknown.add(new Fault("extra_forbidden", leaf.place(), why));
            }
        });
        return found;
    }

    private void checkSymbols(List<TensorSpec> specs, Map<String, Tensor> found) {
        var sizes = new DimensionBindings();
        for (TensorSpec spec : specs) {
            Tensor tensor = found.get(spec.name());
            if (tensor != null) {
                sizes.bind(spec, tensor.shape())
                        .ifPresent(clash ->
                                faults.add(new Fault("value_error", List.of("body", "inputs", spec.name()), clash)));
            }
        }
    }

    /** Reads a list of tensor names, without duplicates; adds a fault for each that is not among {@code allowed}. */
    List<SelectedTensor> select(String field, List<TensorSpec> allowed) {
        var chosen = new LinkedHashMap<String, SelectedTensor>();
        List<Object> place = FieldPaths.append(ROOT, field);
        List<String> names = allowed.stream().map(TensorSpec::name).toList();
        List<Json> items = field(field).map(json -> items(json, place)).orElse(List.of());
        for (int i = 0; i < items.size(); i++) {
            String text = items.get(i) instanceof Json.Text(var given) ? given : "";
            Optional<String> name = FieldPaths.find(names, text);
            if (name.isPresent()) {
                chosen.putIfAbsent(name.get(), new SelectedTensor(text, name.get()));
            } else {
                faults.add(new Fault(
                        "literal_error",
                        FieldPaths.append(place, i),
                        "Input should be one of %s, found '%s'".formatted(names, Fault.cut(text))));
            }
        }
        return List.copyOf(chosen.values());
    }

    private List<Json> items(Json json, List<Object> place) {
        if (json instanceof Json.Items(var items)) {
            return items;
        }
        if (json instanceof Json.Numbers numbers && numbers.count() == 0) {
            faults.add(new Fault("too_short", place, "at least one name is needed"));
        } else {
            faults.add(new Fault("list_type", place, "expected a list of names"));
        }
        return List.of();
    }

    /** Finds the arrays of a tangent or cotangent: exactly one for each selected tensor. */
    Map<String, FieldPaths.Leaf> vector(String field, List<SelectedTensor> chosen) {
        var found = new LinkedHashMap<String, FieldPaths.Leaf>();
        List<Object> place = FieldPaths.append(ROOT, field);
        Optional<Json> given = field(field);
        if (given.isEmpty() || chosen.isEmpty()) {
            return found;
        }
        List<String> names = chosen.stream().map(SelectedTensor::name).toList();
        var paths = new TreeSet<String>();
        FieldPaths.visit(given.get(), place, (path, leaf) -> {
            FieldPaths.find(names, path).ifPresent(name -> found.put(name, leaf));
            if (paths.size() < names.size() + SHOWN) {
                paths.add(path);
            }
        });
        if (found.size() != chosen.size() || paths.size() != chosen.size()) {
            faults.add(new Fault(
                    "value_error",
                    place,
                    "its keys must be %s, found %s".formatted(new TreeSet<>(names), Fault.cut(paths.toString()))));
        }
        return found;
    }

    /** Reads an array that must match the specification. */
    Tensor readExact(FieldPaths.Leaf leaf, TensorSpec spec) {
        return new ArrayReader(faults).read(leaf.array(), spec, leaf.place());
    }

    Faults faults() {
        return faults;
    }

    /** Adds a fault for each unknown field; throws if there is any fault. */
    void finish() {
        fields.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> faults.add(
                        new Fault("extra_forbidden", FieldPaths.append(ROOT, name), "Extra inputs are not permitted")));
        check();
    }

    void check() {
        faults.check();
    }
}
