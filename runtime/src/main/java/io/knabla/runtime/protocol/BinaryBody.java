package io.knabla.runtime.protocol;

import java.nio.ByteBuffer;

/** The binary tensors that follow a request's JSON, read in the order of its inputs. */
public interface BinaryBody {
    /** Bytes that no input has taken yet. */
    long left();

    /** Waits for the first of the next {@code size} bytes: memory for all of them is taken only after that. */
    void await(int size);

    /** Fills the buffer from its start to its limit with the next bytes. */
    void read(ByteBuffer into);

    /** The next bytes; at most {@link #left}. */
    ByteBuffer take(int size);
}
