package io.knabla.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Says which processes go first when a machine has no memory left: those that run models, not this one. */
public final class Expendable {
    /** Of 1000: ahead of all that did not ask for it. */
    private static final String SCORE = "800";

    private Expendable() {}

    /** Only Linux has such a thing; where it cannot be said, the kernel chooses as ever. */
    public static void mark(Process process) {
        Path score = Path.of("/proc", Long.toString(process.pid()), "oom_score_adj");
        try {
            Files.writeString(score, SCORE, StandardOpenOption.WRITE);
        } catch (IOException | UnsupportedOperationException elsewhere) {
            System.getLogger(Expendable.class.getName()).log(System.Logger.Level.TRACE, "cannot write {0}", score);
        }
    }
}
