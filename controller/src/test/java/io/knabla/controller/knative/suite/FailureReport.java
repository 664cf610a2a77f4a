package io.knabla.controller.knative.suite;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Adds to the message of a failed test what the cluster says at that moment: pods that wait, the last warnings, and the
 * end of the controller's log. They are gone when the failure is read.
 */
abstract class FailureReport implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private static final int LINES = 6;
    private static final int WIDTH = 220;

    abstract Ran kubectl(String... arguments);

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        throw reported(failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        throw reported(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        throw reported(failure);
    }

    private Throwable reported(Throwable failure) {
        if (failure instanceof TestAbortedException) {
            return failure;
        }
        var told = new AssertionError("%s%n%s".formatted(failure, state()), failure.getCause());
        // The place in the test.
        told.setStackTrace(failure.getStackTrace());
        return told;
    }

    private String state() {
        Stream<String> waiting = last("pods that wait", "get", "pods", "-A", "--field-selector=status.phase=Pending");
        Stream<String> warnings =
                last("warnings", "get", "events", "-A", "--field-selector=type=Warning", "--sort-by=.lastTimestamp");
        Stream<String> log = last("controller", "-n", "knabla-system", "logs", "deployment/knabla-controller");
        return Stream.of(waiting, warnings, log).flatMap(lines -> lines).collect(Collectors.joining("\n"));
    }

    private Stream<String> last(String title, String... command) {
        List<String> lines = kubectl(command).out().lines().toList();
        return Stream.concat(
                Stream.of(title + ":"),
                lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
                        .map(line -> line.replaceAll(" {2,}", "  "))
                        .map(line -> line.substring(0, Math.min(line.length(), WIDTH))));
    }
}
