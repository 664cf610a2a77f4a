package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.json.JsonException;
import io.knabla.runtime.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Decodes the body of KServe's V1 {@code :predict}, which is TensorFlow Serving's: rows in {@code instances}, each a
 * value or an object with the value of each input, or columns in {@code inputs}, an array or an object with the array
 * of each input. Shapes follow from the nesting. A text may be its bytes in Base64: {@link Base64Value}.
 */
public final class PredictDecoder {
    private final Signature signature;

    public PredictDecoder(Signature signature) {
        this.signature = signature;
    }

    public PredictRequest decode(byte[] body, int length) {
        Map<String, Json> fields = members(parse(body, length));
        if (fields.containsKey("instances") == fields.containsKey("inputs")) {
            throw bad("write a JSON object with either 'instances' (a list of rows) or 'inputs' (columns by name)");
        }
        boolean rows = fields.containsKey("instances");
        Json given = fields.get(rows ? "instances" : "inputs");
        OptionalInt instances = rows ? OptionalInt.of(count(given)) : OptionalInt.empty();
        instances.ifPresent(this::checkRows);
        var tensors = new Tensor[signature.inputs().size()];
        (rows ? columns(given) : named(given)).forEach((name, value) -> {
            int index = signature.inputIndex(name);
            tensors[index] = JsonTensor.read(value, signature.inputs().get(index));
        });
        List<Tensor> inputs = signature.complete(tensors);
        return new PredictRequest(
                new InferRequest(null, inputs, RequestDecoder.allOutputs(signature, false)), instances);
    }

    /** Refuses outputs that never have rows before the engine runs: a step of training would be taken all the same. */
    private void checkRows(int count) {
        for (TensorSpec output : signature.outputs()) {
            if (output.shape().isEmpty()) {
                throw PredictEncoder.withoutRows(output.name(), "[]", count);
            }
        }
    }

    /** Members that are not null; none if it is no object. */
    private static Map<String, Json> members(Json request) {
        if (!(request instanceof Json.Fields(var fields))) {
            return Map.of();
        }
        var members = new LinkedHashMap<>(fields);
        members.values().removeIf(Json.Null.class::isInstance);
        return members;
    }

    private Json parse(byte[] body, int length) {
        boolean texts = signature.inputs().stream().anyMatch(input -> input.datatype() == DataType.BYTES);
        try {
            return JsonTree.read(body, length, !texts);
        } catch (JsonException malformed) {
            throw bad("the body is not JSON: %s", malformed.getMessage());
        }
    }

    private Map<String, Json> named(Json columns) {
        return byName(columns).orElseGet(() -> Map.of(onlyInput(), columns));
    }

    /** The values of an object by input; empty if it is none, or one value in Base64. */
    private Optional<Map<String, Json>> byName(Json json) {
        boolean bytes = Base64Value.is(json) && !signature.hasInput(Base64Value.KEY);
        return json instanceof Json.Fields(var fields) && !bytes ? Optional.of(given(fields)) : Optional.empty();
    }

    /** Leaves out optional inputs that are null. For required ones null stays a value: NaN, as in arrays. */
    private Map<String, Json> given(Map<String, Json> values) {
        var given = new LinkedHashMap<>(values);
        given.entrySet().removeIf(one -> one.getValue() instanceof Json.Null && isOptional(one.getKey()));
        return given;
    }

    private boolean isOptional(String input) {
        return signature.isOptional(signature.inputs().get(signature.inputIndex(input)));
    }

    private String onlyInput() {
        if (signature.inputs().size() != 1) {
            throw bad(
                    "this model has %d inputs; write an object with the value of each",
                    signature.inputs().size());
        }
        return signature.inputs().getFirst().name();
    }

    private static int count(Json rows) {
        return switch (rows) {
            case Json.Items(var items) -> items.size();
            case Json.Numbers numbers
            when !numbers.shape().isEmpty() && numbers.count() > 0 ->
                numbers.shape().getFirst();
            case Json.Numbers _, Json.Fields _, Json.Text _, Json.Null _ ->
                throw bad("'instances' is a list of at least one row");
        };
    }

    private Map<String, Json> columns(Json rows) {
        if (!(rows instanceof Json.Items(var items)) || byName(items.getFirst()).isEmpty()) {
            return Map.of(onlyInput(), rows);
        }
        Set<String> names = byName(items.getFirst()).orElseThrow().keySet();
        var columns = new LinkedHashMap<String, List<Json>>();
        names.forEach(name -> columns.put(name, new ArrayList<>()));
        for (int i = 0; i < items.size(); i++) {
            Map<String, Json> row = byName(items.get(i)).orElse(Map.of());
            if (!row.keySet().equals(names)) {
                throw bad("instance %d has other inputs than the first, which has %s", i, names);
            }
            row.forEach((name, value) -> columns.get(name).add(value));
        }
        var stacked = new LinkedHashMap<String, Json>();
        columns.forEach((name, values) -> stacked.put(name, new Json.Items(values)));
        return stacked;
    }
}
