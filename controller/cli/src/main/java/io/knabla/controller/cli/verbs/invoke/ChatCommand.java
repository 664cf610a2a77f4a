package io.knabla.controller.cli.verbs.invoke;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.Chat;
import io.knabla.controller.cli.client.FunctionEndpoint;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.verbs.context.Context;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Talks with a function that generates text. */
@Command(
        name = "chat",
        description = "Talks with a function of type Generation: each line is a question, and its answer appears as it"
                + " is written. The conversation so far is sent along. An empty line ends it; /new begins another.",
        footer = {
            "",
            "Examples:",
            "  ./knabla chat writer",
            "  ./knabla chat writer \"Name three rivers.\" --max-tokens 64",
            "  echo 'Name three rivers.' | ./knabla chat writer --system 'Answer in one line.' --temperature 0"
        })
public final class ChatCommand implements Callable<Integer> {
    private static final String PROMPT = "> ";
    private static final String NEW = "/new";

    @Mixin
    CalledFunction function;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "QUESTION",
            description = "Asks this alone; else questions are read from the terminal, or from standard input.")
    String question;

    @Option(names = "--system", paramLabel = "TEXT", description = "What the model is told before the first question.")
    String system;

    @Option(names = "--max-tokens", paramLabel = "N", description = "The most tokens of an answer.")
    Integer maxTokens;

    @Option(names = "--temperature", paramLabel = "T", description = "0 takes the most probable token each time.")
    Double temperature;

    @Option(names = "--seed", paramLabel = "N", description = "Equal seeds give equal answers.")
    Long seed;

    private final Context context;

    public ChatCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        FunctionEndpoint endpoint = function.endpoint(context);
        if (question != null) {
            ask(begun(endpoint), question);
            return ExitCodes.SUCCESS;
        }
        try {
            talk(endpoint, new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            return ExitCodes.SUCCESS;
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read the question: %s", unreadable.getMessage());
        }
    }

    private void talk(FunctionEndpoint endpoint, BufferedReader questions) throws IOException {
        Chat chat = begun(endpoint);
        for (String line = next(questions); line != null && !line.isBlank(); line = next(questions)) {
            if (line.strip().equals(NEW)) {
                chat = begun(endpoint);
                continue;
            }
            askAgainAfterFailure(chat, line);
        }
    }

    /** A terminal stays open after a failure, a script ends. */
    private void askAgainAfterFailure(Chat chat, String line) {
        Console console = context.console();
        try {
            ask(chat, line);
        } catch (CliFailure failed) {
            if (!console.live()) {
                throw failed;
            }
            console.error(failed.getMessage());
        }
    }

    private String next(BufferedReader questions) throws IOException {
        Console console = context.console();
        if (console.live()) {
            console.err().print(PROMPT);
            console.err().flush();
        }
        return questions.readLine();
    }

    private Chat begun(FunctionEndpoint endpoint) {
        ObjectNode settings = Documents.JSON.createObjectNode();
        if (maxTokens != null) {
            settings.put("max_completion_tokens", maxTokens);
        }
        if (temperature != null) {
            settings.put("temperature", temperature);
        }
        if (seed != null) {
            settings.put("seed", seed);
        }
        var chat = new Chat(endpoint, settings);
        if (system != null) {
            chat.add("system", system);
        }
        return chat;
    }

    private void ask(Chat chat, String text) {
        PrintStream out = context.console().out();
        chat.ask(text, piece -> {
            out.print(piece);
            out.flush();
        });
        out.println();
    }
}
