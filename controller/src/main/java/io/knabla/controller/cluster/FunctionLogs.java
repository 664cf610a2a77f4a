package io.knabla.controller.cluster;

import io.knabla.controller.catalog.FunctionId;
import java.io.IOException;
import java.util.List;

/** What functions' replicas wrote, wherever that is kept. */
public interface FunctionLogs {
    Reading of(FunctionId function);

    /** One reader's place in what is written; of one thread at a time. */
    interface Reading extends AutoCloseable {
        /**
         * Whole lines that came since the last call, each told with the replica it is from, as in
         * {@code [digits-v1-7f3a] ready}; of more than so many the newest.
         */
        List<String> last(int most) throws IOException;

        @Override
        void close();
    }
}
