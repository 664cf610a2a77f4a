package io.knabla.runtime.grpc;

import io.knabla.runtime.paths.ModelAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A {@code ModelInferRequest}, which becomes the body of {@code POST …/infer}: JSON with the binary tensors behind it.
 * The bytes of {@code raw_input_contents} are copied as they are.
 */
final class InferRequest {
    private final ModelName model = new ModelName();
    private final Parameters parameters = new Parameters();
    private final List<Input> inputs = new ArrayList<>();
    private final List<Output> outputs = new ArrayList<>();
    private final List<WireReader> raw = new ArrayList<>();
    private String id = "";

    /** Bytes of each raw tensor. */
    private long[] rawSizes = {};

    /** @param jsonLength bytes of JSON before the tensors */
    record Body(byte[] bytes, int jsonLength) {}

    private static final class Input {
        private String name = "";
        private String datatype = "";
        private final StringBuilder shape = new StringBuilder();
        private final Parameters parameters = new Parameters();
        private WireReader contents;
        private long elements = 1;

        static Input read(WireReader in) {
            var input = new Input();
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> input.name = in.text();
                    case 2 -> input.datatype = in.text();
                    case 3 -> input.dimensions(in);
                    case 4 -> input.parameters.read(in.message());
                    case 5 -> input.contents = in.message();
                    default -> in.skip();
                }
            }
            return input;
        }

        private void dimensions(WireReader in) {
            if (in.wireType() == WireReader.VARINT) {
                dimension(in.varint());
                return;
            }
            WireReader packed = in.message();
            while (!packed.ended()) {
                dimension(packed.varint());
            }
        }

        private void dimension(long size) {
            shape.append(shape.isEmpty() ? "" : ",").append(size);
            boolean known = size >= 0 && elements >= 0 && Math.multiplyHigh(size, elements) == 0;
            elements = known ? size * elements : -1;
        }

        /** Bytes of its tensor; negative if the head does not say it. */
        long bytes() {
            int each = TypedContents.elementBytes(datatype);
            return each == 0 || elements > Long.MAX_VALUE / Double.BYTES ? -1 : elements * each;
        }

        boolean hasContents() {
            return contents != null && contents.size() > 0;
        }

        /** Whether its bytes come with the call. */
        boolean isSent() {
            return !parameters.has("shared_memory_region");
        }
    }

    private record Output(String name, Parameters parameters) {
        static Output read(WireReader in) {
            String name = "";
            var parameters = new Parameters();
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> name = in.text();
                    case 2 -> parameters.read(in.message());
                    default -> in.skip();
                }
            }
            return new Output(name, parameters);
        }
    }

    static InferRequest read(WireReader in) {
        var request = new InferRequest();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1, 2 -> request.model.read(field, in);
                case 3 -> request.id = in.text();
                case 4 -> request.parameters.read(in.message());
                case 5 -> request.inputs.add(Input.read(in.message()));
                case 6 -> request.outputs.add(Output.read(in.message()));
                case 7 -> request.raw.add(in.message());
                default -> in.skip();
            }
        }
        return request;
    }

    String path() {
        return model.path(ModelAction.INFER);
    }

    /** @param timeout value of the header {@code grpc-timeout}; null for none */
    void limitTime(String timeout) {
        if (timeout != null) {
            // 0 would mean no limit of its own.
            parameters.limitTime(Math.max(1, Timeouts.micros(timeout)));
        }
    }

    /**
     * What its inputs say about raw tensors that are still to come: the bytes of each; empty if they do not say it.
     *
     * @param first bytes of the first
     */
    Optional<long[]> expectRaw(long first) {
        List<Input> sent = inputs.stream().filter(Input::isSent).toList();
        if (sent.isEmpty() || inputs.stream().anyMatch(Input::hasContents)) {
            return Optional.empty();
        }
        long[] sizes = sent.size() == 1
                ? new long[] {first}
                : sent.stream().mapToLong(Input::bytes).toArray();
        if (Arrays.stream(sizes).anyMatch(size -> size < 0)) {
            return Optional.empty();
        }
        rawSizes = sizes;
        return Optional.of(sizes);
    }

    /** Bytes of each raw tensor. */
    long[] rawSizes() {
        return rawSizes;
    }

    /** The JSON before the tensors, which are all raw. */
    byte[] json() {
        return json(new ArrayList<>(), none -> {});
    }

    /** @param hold reserves so many bytes of memory, or throws */
    Body body(LongConsumer hold) {
        List<byte[]> typed = new ArrayList<>();
        rawSizes = raw.stream().mapToLong(WireReader::size).toArray();
        byte[] head = json(typed, hold);
        long size = Arrays.stream(rawSizes).sum()
                + typed.stream().mapToLong(tensor -> tensor.length).sum();
        hold.accept(head.length + size);
        if (head.length + size > Integer.MAX_VALUE - 8) {
            throw new GrpcException(GrpcStatus.RESOURCE_EXHAUSTED, "the tensors are larger than 2 GiB; send less");
        }
        byte[] bytes = Arrays.copyOf(head, (int) (head.length + size));
        int at = head.length;
        for (byte[] tensor : typed) {
            System.arraycopy(tensor, 0, bytes, at, tensor.length);
            at += tensor.length;
        }
        for (WireReader tensor : raw) {
            tensor.copyTo(bytes, at);
            at += tensor.size();
        }
        return new Body(bytes, head.length);
    }

    /** Writes the JSON; adds the tensors of typed contents to {@code typed}. */
    private byte[] json(List<byte[]> typed, LongConsumer hold) {
        var json = new StringBuilder(256).append('{');
        if (!id.isEmpty()) {
            Json.quoted(json.append("\"id\":"), id).append(',');
        }
        json.append("\"parameters\":")
                .append(parameters.json("\"binary_data_output\":true"))
                .append(",\"inputs\":[");
        inputs(json, typed, hold);
        json.append(']');
        outputs(json);
        return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    private void inputs(StringBuilder json, List<byte[]> typed, LongConsumer hold) {
        int next = 0;
        for (Input input : inputs) {
            long bytes = 0;
            if (input.hasContents()) {
                byte[] tensor = TypedContents.bytes(input.contents, input.name, input.datatype, hold);
                typed.add(tensor);
                bytes = tensor.length;
            } else if (input.isSent() && next < rawSizes.length) {
                bytes = rawSizes[next++];
            }
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ",");
            head(json, input, bytes);
        }
        if (next < rawSizes.length || (rawSizes.length > 0 && !typed.isEmpty())) {
            throw new GrpcException(
                    GrpcStatus.INVALID_ARGUMENT,
                    "raw_input_contents has %d entries for %d inputs; give one for each input, or 'contents' for all, not both"
                            .formatted(rawSizes.length, inputs.size()));
        }
    }

    private static void head(StringBuilder json, Input input, long bytes) {
        Json.quoted(json.append("{\"name\":"), input.name);
        Json.quoted(json.append(",\"datatype\":"), input.datatype);
        json.append(",\"shape\":[").append(input.shape);
        String size = input.isSent() ? "\"binary_data_size\":" + bytes : "";
        json.append("],\"parameters\":").append(input.parameters.json(size)).append('}');
    }

    private void outputs(StringBuilder json) {
        if (outputs.isEmpty()) {
            return;
        }
        json.append(",\"outputs\":[");
        for (Output output : outputs) {
            json.append(output == outputs.getFirst() ? "" : ",");
            Json.quoted(json.append("{\"name\":"), output.name)
                    .append(",\"parameters\":")
                    .append(output.parameters.json(""))
                    .append('}');
        }
        json.append(']');
    }
}
