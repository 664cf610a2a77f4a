package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorLease;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Parses one request's JSON in a single pass; takes binary tensors from the bytes after it. */
final class RequestParser {
    private static final int MAX_RANK = 32;

    private final Signature signature;
    private final TensorLease pool;
    private final byte[] body;
    private final int length;
    private final JsonScanner json;
    private final Tensor[] inputs;
    private int binaryAt;
    private String id;
    private boolean sawInputs;
    private List<Selection> selected;
    private Boolean binaryDefault;

    private record Selection(int index, Boolean binary) {}

    RequestParser(Signature signature, TensorLease pool, byte[] body, int jsonLength, int length) {
        this.signature = signature;
        this.pool = pool;
        this.body = body;
        this.length = length;
        this.json = new JsonScanner(body, 0, jsonLength);
        this.inputs = new Tensor[signature.inputs().size()];
        this.binaryAt = jsonLength;
    }

    InferRequest parse() {
        json.expect('{', "at the start of the request");
        boolean more = !json.take('}');
        while (more) {
            field(name());
            more = json.more('}');
        }
        json.expectEnd();
        if (!sawInputs) {
            throw bad("the request has no 'inputs'");
        }
        List<Tensor> complete = signature.complete(inputs);
        if (binaryAt != length) {
            throw bad(
                    "%d bytes of binary data follow the JSON that no input claims with binary_data_size",
                    length - binaryAt);
        }
        return new InferRequest(id, complete, outputs());
    }

    private String name() {
        String name = json.string("a name in quotes");
        json.expect(':', "after a name");
        return name;
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
            case "parameters" -> binaryDefault = flag("binary_data_output");
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

    /**
     * Reads the boolean parameter {@code wanted} of a parameters object; null if absent. Other parameters are skipped.
     */
    private Boolean flag(String wanted) {
        Boolean value = null;
        json.expect('{', "at the start of parameters");
        boolean more = !json.take('}');
        while (more) {
            String name = name();
            if (name.equals(wanted)) {
                value = bool(wanted);
            } else {
                rejectUnsupported(name);
                json.skip();
            }
            more = json.more('}');
        }
        return value;
    }

    /** Rejects parameters of unsupported extensions that would change the meaning of the response. */
    private static void rejectUnsupported(String parameter) {
        switch (parameter) {
            case "classification" ->
                throw new ProtocolException(
                        501,
                        "the parameter 'classification' is not supported; take the output as it is and pick its largest elements");
            case "shared_memory_region" ->
                throw new ProtocolException(
                        501,
                        "shared memory is not supported; send tensors in the request and take them from the answer");
            default -> {}
        }
    }

    private boolean bool(String name) {
        if (json.takeLiteral("true")) {
            return true;
        }
        if (json.takeLiteral("false")) {
            return false;
        }
        throw json.unexpected("true or false for " + name);
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
        json.expect('{', "at the start of an input");
        boolean more = !json.take('}');
        while (more) {
            inputField(fields, name());
            more = json.more('}');
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
        int binarySize = -1;
        Tensor tensor;
    }

    private void inputField(InputFields fields, String field) {
        switch (field) {
            case "name" -> fields.name = json.string("the name of an input");
            case "datatype" -> fields.datatype = json.string("a datatype as a text");
            case "shape" -> fields.shape = shape();
            case "parameters" -> fields.binarySize = binarySize();
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
        if (fields.binarySize >= 0) {
            if (fields.data >= 0) {
                throw bad("input '%s' has both 'data' and binary_data_size", spec.name());
            }
            return fromBinary(fields, spec);
        }
        if (fields.data < 0) {
            throw bad("input '%s' has neither 'data' nor binary_data_size", spec.name());
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

    private Tensor fromBinary(InputFields fields, TensorSpec spec) {
        if (fields.binarySize > length - binaryAt) {
            throw bad(
                    "input '%s' claims %d bytes of binary data, but only %d are left after the JSON; check Inference-Header-Content-Length",
                    spec.name(), fields.binarySize, length - binaryAt);
        }
        int from = binaryAt;
        binaryAt += fields.binarySize;
        return BinaryTensorReader.read(body, from, fields.binarySize, spec, fields.shape, pool);
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

    private int binarySize() {
        int size = -1;
        json.expect('{', "at the start of parameters");
        boolean more = !json.take('}');
        while (more) {
            String name = name();
            if (name.equals("binary_data_size")) {
                long value = JsonNumbers.readInteger(json, 64, true);
                if (value < 0 || value > Integer.MAX_VALUE) {
                    throw bad("binary_data_size is %d; write the number of bytes", value);
                }
                size = (int) value;
            } else {
                rejectUnsupported(name);
                json.skip();
            }
            more = json.more('}');
        }
        return size;
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
        Boolean binary = null;
        json.expect('{', "at the start of an output");
        boolean more = !json.take('}');
        while (more) {
            switch (name()) {
                case "name" -> name = json.string("the name of an output");
                case "parameters" -> binary = flag("binary_data");
                default -> json.skip();
            }
            more = json.more('}');
        }
        return new Selection(signature.outputIndex(required(name, "an output has no 'name'")), binary);
    }

    /** Precedence: the output's own parameter, then the request's, then JSON. */
    private List<RequestedOutput> outputs() {
        boolean fallback = Boolean.TRUE.equals(binaryDefault);
        if (selected == null || selected.isEmpty()) {
            return RequestDecoder.allOutputs(signature, fallback);
        }
        return selected.stream()
                .map(one -> new RequestedOutput(one.index(), one.binary() == null ? fallback : one.binary()))
                .toList();
    }
}
