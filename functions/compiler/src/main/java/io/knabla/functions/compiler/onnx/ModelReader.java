package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Reads a model without copying its weights: the file is memory-mapped, and parsed tensors point into the mapping. A
 * model of 2 GB therefore needs hardly any heap.
 */
public final class ModelReader {
    private ModelReader() {}

    /** Outcome of reading a model file. */
    public sealed interface ReadResult {
        record Opened(Model model) implements ReadResult {}

        /** Not a model, or a model beyond the limits; {@code why} is a sentence for the user. */
        record Refused(String why) implements ReadResult {}
    }

    /** The file must not change while the model is in use. */
    public static ReadResult read(Path file) throws IOException {
        return read(file, Limits.DEFAULT);
    }

    public static ReadResult read(Path file, Limits limits) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size > limits.fileBytes()) {
                String large = "it has %,d bytes, and an ONNX file ends at %,d; save the weights as external data"
                        .formatted(size, limits.fileBytes());
                long head = Math.min(size, ModelSniff.HEAD);
                return refused(ModelSniff.guess(channel.map(FileChannel.MapMode.READ_ONLY, 0, head), large));
            }
            return read(channel.map(FileChannel.MapMode.READ_ONLY, 0, size), limits);
        }
    }

    public static ReadResult read(ByteBuffer bytes, Limits limits) {
        try {
            WireScan.check(bytes, limits);
            ByteString aliased = UnsafeByteOperations.unsafeWrap(bytes);
            CodedInputStream in = aliased.newCodedInput();
            in.enableAliasing(true);
            in.setSizeLimit(Integer.MAX_VALUE);
            return new ReadResult.Opened(Model.of(ModelProto.parseFrom(in)));
        } catch (NotOnnxException not) {
            return refused(not.getMessage());
        } catch (InvalidProtocolBufferException damaged) {
            return refused("its protobuf is damaged: " + damaged.getMessage());
        } catch (IOException impossible) {
            throw new IllegalStateException("memory cannot fail to be read", impossible);
        }
    }

    private static ReadResult refused(String why) {
        return new ReadResult.Refused("not a usable ONNX model: " + why + ".");
    }
}
