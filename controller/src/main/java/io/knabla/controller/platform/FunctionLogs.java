package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import java.io.IOException;
import java.util.List;

/** Reads the log lines of a function's replicas: from files, or from pods. */
public interface FunctionLogs {
    Cursor open(FunctionId function);

    /** One reader's position in the logs; not thread-safe. */
    interface Cursor extends AutoCloseable {
        /**
         * Whole lines written since the last call, each prefixed with its replica, as in {@code [digits-v1-7f3a]
         * ready}.
         *
         * @param most limit; only the newest lines are returned when there are more
         */
        List<String> readNew(int most) throws IOException;

        @Override
        void close();
    }
}
