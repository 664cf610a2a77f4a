package io.knabla.runtime.ranges;

import io.knabla.functions.unit.CalibrationSamples;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.TensorEntry;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorPool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the requests of a samples file one at a time: all of them may be larger than the heap. */
final class SampleFile implements AutoCloseable {
    private final FileChannel channel;
    private final long dataStart;
    private final int requests;
    private final Map<String, TensorEntry> entries = new HashMap<>();

    private SampleFile(FileChannel channel, Header header) throws IOException {
        this.channel = channel;
        this.dataStart = channel.size() - header.dataBytes();
        this.requests = Integer.parseInt(header.metadata().getOrDefault(CalibrationSamples.REQUESTS, "0"));
        header.entries().forEach(entry -> entries.put(entry.name(), entry));
    }

    static SampleFile open(Path file) throws IOException {
        Header header;
        try (InputStream in = Files.newInputStream(file)) {
            header = SafeTensors.readHeader(in);
        }
        return new SampleFile(FileChannel.open(file), header);
    }

    int requests() {
        return requests;
    }

    /** Reads the inputs of one request into tensors of the pool. */
    List<Tensor> read(int request, List<TensorSpec> inputs, TensorPool pool) throws IOException {
        var tensors = new ArrayList<Tensor>();
        for (TensorSpec input : inputs) {
            String name = CalibrationSamples.name(request, input.name());
            TensorEntry entry = entries.get(name);
            if (entry == null) {
                throw new IllegalArgumentException("the samples have no tensor '%s'".formatted(name));
            }
            tensors.add(read(entry, input.name(), pool));
        }
        return tensors;
    }

    private Tensor read(TensorEntry entry, String input, TensorPool pool) throws IOException {
        long[] shape = entry.shape().stream().mapToLong(Long::longValue).toArray();
        Tensor tensor = pool.take(input, entry.type(), shape, Math.toIntExact(entry.bytes()));
        ByteBuffer into = tensor.data().duplicate();
        long at = dataStart + entry.begin();
        while (into.hasRemaining()) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new IOException("the samples end within tensor '%s'".formatted(entry.name()));
            }
            at += read;
        }
        return tensor;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
