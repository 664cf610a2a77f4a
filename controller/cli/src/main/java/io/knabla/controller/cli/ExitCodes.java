package io.knabla.controller.cli;

/** Exit codes of the process, the same for every verb. */
public final class ExitCodes {
    public static final int SUCCESS = 0;
    public static final int FAILED = 1;
    public static final int USAGE_ERROR = 2;

    /** Only of {@code cost --check}. */
    public static final int OVER_BUDGET = 3;

    private ExitCodes() {}
}
