package io.knabla.runtime.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Concatenates the tensors of several requests along the first dimension and splits the results. Pure, except that it
 * allocates.
 */
public final class TensorBatching {
    private TensorBatching() {}

    /** Number of rows in all inputs of one request; -1 if they differ, an input is a scalar or there is none. */
    static long rows(List<Tensor> inputs) {
        long rows = -1;
        for (Tensor input : inputs) {
            if (input.shape().length == 0 || (rows >= 0 && input.shape()[0] != rows)) {
                return -1;
            }
            rows = input.shape()[0];
        }
        return rows;
    }

    /** Whether two requests have equal shapes except for the number of rows. */
    static boolean joinable(List<Tensor> a, List<Tensor> b) {
        for (int i = 0; i < a.size(); i++) {
            long[] left = a.get(i).shape();
            long[] right = b.get(i).shape();
            if (left.length != right.length) {
                return false;
            }
            for (int d = 1; d < left.length; d++) {
                if (left[d] != right[d]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Joins requests of equal shapes into one; the caller closes the tensors. */
    public static List<Tensor> join(List<List<Tensor>> requests, long rows) {
        return join(requests, rows, HostMemory.PLAIN);
    }

    /** The same with memory that the caller gives back. */
    static List<Tensor> join(List<List<Tensor>> requests, long rows, HostMemory memory) {
        var joined = new ArrayList<Tensor>();
        for (int i = 0; i < requests.getFirst().size(); i++) {
            joined.add(joinOne(requests, i, rows, memory));
        }
        return joined;
    }

    private static Tensor joinOne(List<List<Tensor>> requests, int index, long rows, HostMemory memory) {
        Tensor first = requests.getFirst().get(index);
        long[] shape = first.shape().clone();
        shape[0] = rows;
        if (first.texts() != null) {
            var all = new ArrayList<byte[]>();
            requests.forEach(request -> all.addAll(List.of(request.get(index).texts())));
            return Tensor.texts(first.name(), shape, all.toArray(byte[][]::new));
        }
        int bytes =
                requests.stream().mapToInt(r -> r.get(index).data().remaining()).sum();
        ByteBuffer data = memory.take(bytes);
        requests.forEach(request -> data.put(request.get(index).data().duplicate()));
        return Tensor.numbers(first.name(), first.type(), shape, data.flip());
    }

    /** Whether every output has one row for each input row, which splitting needs. */
    public static boolean splittable(List<Tensor> outputs, long rows) {
        return outputs.stream().allMatch(o -> o.shape().length > 0 && o.shape()[0] == rows);
    }

    /** Rows {@code from} to {@code from + count} of an output of {@code rows} rows, as a view. */
    public static Tensor part(Tensor output, long from, long count, long rows) {
        long[] shape = output.shape().clone();
        shape[0] = count;
        if (output.texts() != null) {
            int each = (int) (output.texts().length / rows);
            int start = (int) from * each;
            byte[][] part = java.util.Arrays.copyOfRange(output.texts(), start, start + (int) count * each);
            return Tensor.texts(output.name(), shape, part);
        }
        int each = (int) (output.data().remaining() / rows);
        ByteBuffer part = output.data().slice(output.data().position() + (int) from * each, (int) count * each);
        return Tensor.numbers(output.name(), output.type(), shape, part);
    }
}
