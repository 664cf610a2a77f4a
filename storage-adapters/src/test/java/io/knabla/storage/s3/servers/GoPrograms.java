package io.knabla.storage.s3.servers;

import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/** Programs written in Go that other tests run, installed on first use like the servers. */
public final class GoPrograms {
    private GoPrograms() {}

    /**
     * The program's file; skips the test with a reason if it cannot be installed.
     *
     * @param title name and version, for people
     * @param path of the command in its module
     * @param version without the leading v
     */
    public static Path install(String title, String path, String version) {
        return switch (RealServer.INSTALLER.install(new Program.GoModule(title, path, version))) {
            case InstallResult.At(var folder) -> folder.resolve(path.substring(path.lastIndexOf('/') + 1));
            case InstallResult.Impossible(var why) -> {
                System.out.println("hostile test: SKIPPED: " + why);
                throw new TestAbortedException(why);
            }
        };
    }
}
