package io.knabla.bench.generation;

/** Generates the texts of a batch, again and again. */
interface TextPlayer extends AutoCloseable {
    String name();

    /** Generates all of them and returns the seconds from the first prompt to the last token. */
    double seconds() throws Exception;

    @Override
    void close();
}
