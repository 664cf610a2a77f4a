import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends tests that hang: writes the stacks of every JVM that Maven has started, prints those that are in code of this project,
 * and ends what Maven has started, so that Maven fails. Run from its source by {@code ./knabla test}.
 */
final class StalledTests {
    private static final int SECONDS_TO_ANSWER = 60;
    private static final int LINES_OF_STACK = 40;

    private StalledTests() {}

    /** @param args the process id of Maven, and the folder for the stacks, one file a process */
    public static void main(String[] args) throws Exception {
        ProcessHandle maven = ProcessHandle.of(Long.parseLong(args[0])).orElseThrow();
        Path folder = Files.createDirectories(Path.of(args[1]).toAbsolutePath());
        List<ProcessHandle> started = maven.descendants().toList();
        for (ProcessHandle process : started) {
            if (isJvm(process)) {
                printProjectStacks(process, stacks(process, folder));
            }
        }
        started.forEach(ProcessHandle::destroyForcibly);
        end(maven);
    }

    private static boolean isJvm(ProcessHandle process) {
        return process.info().command().filter(command -> command.endsWith("/java")).isPresent();
    }

    /** Writes the stacks of platform threads with their locks, and in another file those of virtual threads too. */
    private static Path stacks(ProcessHandle process, Path folder) throws IOException, InterruptedException {
        Path platform = folder.resolve(process.pid() + ".txt");
        Path all = folder.resolve(process.pid() + "-virtual.txt");
        jcmd(process, platform, "Thread.print -l");
        jcmd(process, folder.resolve(process.pid() + ".log"), "Thread.dump_to_file -overwrite \"" + all + '"');
        return platform;
    }

    private static void jcmd(ProcessHandle process, Path output, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process jcmd = new ProcessBuilder(program, Long.toString(process.pid()), command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!jcmd.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS)) {
            jcmd.destroyForcibly();
        }
    }

    private static void printProjectStacks(ProcessHandle process, Path threads) throws IOException {
        System.out.printf("process %d, %s:%n", process.pid(), threads);
        for (String stack : Files.readString(threads).split("\n\n")) {
            if (stack.contains("at io.knabla.")) {
                stack.lines().limit(LINES_OF_STACK).forEach(System.out::println);
            }
        }
    }

    private static void end(ProcessHandle maven) throws InterruptedException, ExecutionException {
        try {
            maven.onExit().get(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
        } catch (TimeoutException hanging) {
            maven.destroyForcibly();
        }
    }
}
