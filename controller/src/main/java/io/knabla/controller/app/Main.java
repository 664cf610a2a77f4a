package io.knabla.controller.app;

import io.knabla.controller.cli.verbs.CommandLines;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the platform in the foreground: the process behind {@code ./knabla up}. */
@QuarkusMain
public final class Main {
    private static final int FAILED = 1;

    private Main() {}

    public static void main(String... args) {
        String[] verb = args.length == 0 ? new String[] {"up"} : args;
        System.exit(CommandLines.make(Main::up).execute(verb));
    }

    /** Prints every fault that prevents the start before Quarkus boots. */
    private static int up(Map<String, String> flags) {
        flags.forEach(System::setProperty);
        List<String> faults = StartCheck.faults(System.getenv());
        if (!faults.isEmpty()) {
            faults.forEach(fault -> System.err.println("knabla: " + fault));
            return FAILED;
        }
        var exit = new AtomicInteger();
        Quarkus.run(PlatformApplication.class, (code, error) -> {
            exit.set(error == null ? code : FAILED);
            if (error != null) {
                System.err.println("knabla: cannot start: " + StartFailure.sentence(error));
            }
        });
        return exit.get();
    }
}
