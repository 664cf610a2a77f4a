package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorLease;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import io.knabla.runtime.protocol.InferRequest.SharedPart;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Parses one request's JSON in a single pass; takes binary tensors from the bytes after it. */
final class RequestParser {
    private static final int MAX_RANK = 32;

    private final Signature signature;
    private final TensorLease pool;
    private final BinaryBody binary;
    private final SharedMemory shared;
    private final JsonScanner json;
    private final Tensor[] inputs;
    private String id;
    private boolean sawInputs;
    private List<Selection> selected;
    private Boolean binaryDefault;
    private Duration timeout = Duration.ZERO;

    /** @param binary null if the output does not say */
    private record Selection(int index, Boolean binary, SharedPart shared) {}

    RequestParser(
            Signature signature,
            TensorLease pool,
            byte[] json,
            int jsonLength,
            BinaryBody binary,
            SharedMemory shared) {
        this.signature = signature;
        this.pool = pool;
        this.binary = binary;
        this.shared = shared;
        this.json = new JsonScanner(json, 0, jsonLength);
        this.inputs = new Tensor[signature.inputs().size()];
    }

    InferRequest parse() {
        json.skipByteOrderMark();
        for (String name = json.firstMember("the request"); name != null; name = json.nextMember()) {
            field(name);
        }
        json.expectEnd();
        if (!sawInputs) {
            throw bad("the request has no 'inputs'");
        }
        List<Tensor> complete = signature.complete(inputs);
        if (binary.left() != 0) {
            throw bad(
                    "%d bytes of binary data follow the JSON that no input claims with binary_data_size",
                    binary.left());
        }
        return new InferRequest(id, complete, outputs(), timeout);
    }

    private void field(String name) {
        switch (name) {
            case "id" -> id = id();
            case "inputs" -> {
                rejectDuplicate(sawInputs, name);
                sawInputs = true;
                inputs();
            }
            case "outputs" -> {
                rejectDuplicate(selected != null, name);
                selected = selections();
            }
            case "parameters" -> parameters();
            // Unknown fields are ignored: the protocol evolves by adding fields.
            default -> json.skip();
        }
    }

    private static void rejectDuplicate(boolean seen, String name) {
        if (seen) {
            throw bad("the request has '%s' twice", name);
        }
    }

    private String id() {
        String text = json.string("the id as a text");
        return text.isEmpty() ? null : text;
    }

    /** Reads the parameters of the request; unknown ones are skipped. */
    private void parameters() {
        for (String name = json.firstMember("parameters"); name != null; name = json.nextMember()) {
            switch (name) {
                case "binary_data_output" -> binaryDefault = TensorParameters.bool(json, name);
                case "timeout" -> timeout = timeout();
                case "priority" -> rejectPriority();
                default -> json.skip();
            }
        }
    }

    private Duration timeout() {
        long micros = JsonNumbers.readInteger(json, 64, true);
        if (micros < 0) {
            throw bad("the parameter timeout is %d; write microseconds, 0 for the function's own timeout", micros);
        }
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    /** 0 is what clients send for none. */
    private void rejectPriority() {
        if (JsonNumbers.readInteger(json, 64, false) != 0) {
            throw new ProtocolException(
                    501,
                    "the parameter priority is not supported: requests are answered in the order of their arrival; leave it away, or deploy a function of its own for urgent ones");
        }
    }

    private void inputs() {
        json.expect('[', "at the start of inputs");
        boolean more = !json.take(']');
        while (more) {
            input();
            more = json.more(']');
        }
    }

    private void input() {
        var fields = new InputFields();
        for (String name = json.firstMember("an input"); name != null; name = json.nextMember()) {
            inputField(fields, name);
        }
        int index = signature.inputIndex(required(fields.name, "an input has no 'name'"));
        if (inputs[index] != null) {
            throw bad("input '%s' is there twice", fields.name);
        }
        inputs[index] = tensor(fields, signature.inputs().get(index));
    }

    /** Fields of one input's JSON object; {@code data} may precede the shape needed to read it. */
    private static final class InputFields {
        String name;
        String datatype;
        long[] shape;
        int data = -1;
        TensorParameters parameters;
        Tensor tensor;

        boolean isBinary() {
            return parameters != null && parameters.binarySize >= 0;
        }

        boolean isShared() {
            return parameters != null && parameters.region != null;
        }
    }

    private void inputField(InputFields fields, String field) {
        switch (field) {
            case "name" -> fields.name = json.string("the name of an input");
            case "datatype" -> fields.datatype = json.string("a datatype as a text");
            case "shape" -> fields.shape = shape();
            case "parameters" -> fields.parameters = TensorParameters.read(json);
            case "data" -> data(fields);
            default -> json.skip();
        }
    }

    private void data(InputFields fields) {
        if (fields.data >= 0) {
            throw bad("an input has 'data' twice");
        }
        json.peek();
        fields.data = json.position();
        if (fields.name == null || fields.shape == null || fields.datatype == null) {
            json.skip();
        } else {
            TensorSpec spec = signature.inputs().get(signature.inputIndex(fields.name));
            fields.tensor = fromJson(fields, spec);
        }
    }

    private Tensor fromJson(InputFields fields, TensorSpec spec) {
        check(fields, spec);
        return JsonTensorReader.read(json, spec, fields.shape, pool);
    }

    private static void check(InputFields fields, TensorSpec spec) {
        if (!spec.datatype().name().equals(fields.datatype)) {
            throw bad(
                    "input '%s' has datatype '%s'; this model takes %s",
                    spec.name(), Signature.cut(fields.datatype), spec.datatype());
        }
        Signature.checkShape(spec, fields.shape);
    }

    private Tensor tensor(InputFields fields, TensorSpec spec) {
        required(fields.datatype, "input '" + spec.name() + "' has no 'datatype'");
        required(fields.shape, "input '" + spec.name() + "' has no 'shape'");
        check(fields, spec);
        int sources = (fields.data >= 0 ? 1 : 0) + (fields.isBinary() ? 1 : 0) + (fields.isShared() ? 1 : 0);
        if (sources != 1) {
            throw bad(
                    sources == 0
                            ? "input '%s' has neither 'data' nor binary_data_size nor shared_memory_region"
                            : "input '%s' has both 'data' and binary_data_size, or one of them and shared_memory_region; write only one",
                    spec.name());
        }
        if (fields.isBinary()) {
            return fromBinary(fields, (int) fields.parameters.binarySize, spec);
        }
        if (fields.isShared()) {
            return SharedTensors.input(shared, fields.parameters, spec, fields.shape);
        }
        if (fields.tensor != null) {
            return fields.tensor;
        }
        int resume = json.position();
        json.seek(fields.data);
        Tensor tensor = fromJson(fields, spec);
        json.seek(resume);
        return tensor;
    }

    private Tensor fromBinary(InputFields fields, int size, TensorSpec spec) {
        if (size > binary.left()) {
            throw bad(
                    "input '%s' claims %d bytes of binary data, but only %d are left after the JSON; check Inference-Header-Content-Length",
                    spec.name(), size, binary.left());
        }
        return BinaryTensorReader.read(binary, size, spec, fields.shape, pool);
    }

    private static <T> T required(T value, String fault) {
        if (value == null) {
            throw bad("%s", fault);
        }
        return value;
    }

    private long[] shape() {
        long[] shape = new long[4];
        int rank = 0;
        json.expect('[', "at the start of a shape");
        boolean more = !json.take(']');
        while (more) {
            if (rank == MAX_RANK) {
                throw bad("a shape has more than %d dimensions", MAX_RANK);
            }
            if (rank == shape.length) {
                shape = Arrays.copyOf(shape, rank * 2);
            }
            shape[rank] = JsonNumbers.readInteger(json, 64, true);
            if (shape[rank++] < 0) {
                throw bad("a shape has the dimension %d; write the real size, 0 or more", shape[rank - 1]);
            }
            more = json.more(']');
        }
        return Arrays.copyOf(shape, rank);
    }

    private List<Selection> selections() {
        var found = new ArrayList<Selection>();
        json.expect('[', "at the start of outputs");
        boolean more = !json.take(']');
        while (more) {
            Selection one = selection();
            if (found.stream().anyMatch(other -> other.index() == one.index())) {
                throw bad(
                        "output '%s' is asked twice",
                        signature.outputs().get(one.index()).name());
            }
            found.add(one);
            more = json.more(']');
        }
        return found;
    }

    private Selection selection() {
        String name = null;
        TensorParameters parameters = null;
        for (String member = json.firstMember("an output"); member != null; member = json.nextMember()) {
            switch (member) {
                case "name" -> name = json.string("the name of an output");
                case "parameters" -> parameters = TensorParameters.read(json);
                default -> json.skip();
            }
        }
        int index = signature.outputIndex(required(name, "an output has no 'name'"));
        if (parameters == null) {
            return new Selection(index, null, null);
        }
        SharedPart part = parameters.region == null
                ? null
                : SharedTensors.output(shared, parameters, signature.outputs().get(index));
        return new Selection(index, parameters.binary, part);
    }

    /** Precedence: the output's own parameter, then the request's, then JSON. */
    private List<RequestedOutput> outputs() {
        boolean fallback = Boolean.TRUE.equals(binaryDefault);
        if (selected == null || selected.isEmpty()) {
            return RequestDecoder.allOutputs(signature, fallback);
        }
        return selected.stream().map(one -> output(one, fallback)).toList();
    }

    private static RequestedOutput output(Selection one, boolean fallback) {
        boolean binary = one.binary() == null ? fallback : one.binary();
        return new RequestedOutput(one.index(), binary && one.shared() == null, one.shared());
    }
}
