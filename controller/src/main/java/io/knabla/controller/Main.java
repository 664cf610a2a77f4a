package io.knabla.controller;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Starts the platform in the foreground: the process behind {@code ./knabla up}. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        Quarkus.run(Platform.class, args);
    }
}
