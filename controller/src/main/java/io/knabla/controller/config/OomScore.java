package io.knabla.controller.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Raises the Linux OOM score of model processes: the kernel kills them before the controller. */
public final class OomScore {
    /** Of at most 1000; the default of a process is 0. */
    private static final String SCORE = "800";

    private OomScore() {}

    /** Only Linux has this file; elsewhere the operating system chooses as usual. */
    public static void raise(Process process) {
        Path score = Path.of("/proc", Long.toString(process.pid()), "oom_score_adj");
        try {
            Files.writeString(score, SCORE, StandardOpenOption.WRITE);
        } catch (IOException | UnsupportedOperationException elsewhere) {
            System.getLogger(OomScore.class.getName()).log(System.Logger.Level.TRACE, "cannot write {0}", score);
        }
    }
}
