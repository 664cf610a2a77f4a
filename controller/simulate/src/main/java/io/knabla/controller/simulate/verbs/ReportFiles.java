package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.verbs.context.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options {@code --html} and {@code --png}: write a simulator's comparison to files as well. */
final class ReportFiles {
    @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with a plot.")
    Path html;

    @Option(names = "--png", paramLabel = "FILE", description = "Also write a plot.")
    Path png;

    interface Writer {
        void write(OutputStream out) throws IOException;
    }

    boolean any() {
        return html != null || png != null;
    }

    /** Writes the files that were asked for. */
    void write(Context context, Writer page, Writer picture) {
        write(context, html, page);
        write(context, png, picture);
    }

    private static void write(Context context, Path file, Writer writer) {
        if (file == null) {
            return;
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            writer.write(out);
            context.note("wrote %s", file);
        } catch (IOException failed) {
            throw CliFailure.cannotWrite(file, failed);
        }
    }
}
