package io.knabla.runtime.modes;

import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.UnitException;
import io.knabla.runtime.engine.EngineException;
import io.knabla.storage.StorageException;
import java.io.UncheckedIOException;

/** Reports why this process failed, as an event and in its log, and maps the failure to an exit code. */
public final class Failures {
    private Failures() {}

    /**
     * Reports the failure of a mode: {@link ExitCode#UNAVAILABLE} for a store failure, else {@link ExitCode#REFUSED}.
     */
    static ExitCode report(RuntimeException failed) {
        return switch (failed) {
            case StorageException _, UnitException _, UncheckedIOException _ -> {
                Events.unavailable(failed);
                yield ExitCode.UNAVAILABLE;
            }
            default -> {
                Events.refused(failed.getMessage());
                yield ExitCode.REFUSED;
            }
        };
    }

    /** Writes the error last: Kubernetes takes the termination message from the end of the log. */
    public static void reportAndHalt(Throwable failed) {
        boolean lost = isDeviceLost(failed);
        Events.failed(failed, lost ? FailureCode.DEVICE_LOST : FailureCode.of(failed));
        System.err.println("replica failed: " + errorText(failed));
        Runtime.getRuntime().halt((lost ? ExitCode.DEVICE_LOST : ExitCode.FAILED).value());
    }

    private static boolean isDeviceLost(Throwable failed) {
        return failed instanceof EngineException engine && engine.code() == EngineException.Code.DEVICE_LOST;
    }

    /**
     * The exception's message, or {@code toString()} if the message is a single word: some JDK exceptions carry only a
     * path.
     */
    private static String errorText(Throwable failed) {
        String message = failed.getMessage();
        return message != null && message.contains(" ") ? message : failed.toString();
    }
}
