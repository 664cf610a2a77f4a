package io.knabla.bench;

/** Placeholder until the benchmarks stand. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.err.println("not yet");
    }
}
