package io.knabla.runtime.modes;

/** Exit codes of the replica program, read by the process or pod that started it. */
public enum ExitCode {
    DONE(0),
    WRONG_USE(2),
    /** The settings are wrong, or the replica could not start. */
    FAILED(3),
    /** The unit cannot run. */
    REFUSED(4),
    /** The store failed; says nothing about the unit. */
    UNAVAILABLE(5),
    /** The GPU, or this process's access to it, was lost while it served; a new process may serve again. */
    DEVICE_LOST(6);

    private final int value;

    ExitCode(int value) {
        this.value = value;
    }

    public int value() {
        return value;
    }
}
