package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationEvent.Failed;
import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.ResponseWriter;
import io.knabla.runtime.openai.Options.Streaming;
import io.knabla.runtime.openai.RunningTexts.Numbered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Sends one answer while its texts are generated. */
final class Answering {
    /** Shorter than what lies between waits for a quiet connection. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final String STREAM =
            "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n";

    private final AnswerTask task;
    private final RunningTexts texts;
    private final AnswerWriter answer;
    private final String headers;
    private TokenTotals totals = TokenTotals.NONE;
    private int finished;

    /** @param headers complete header lines */
    Answering(AnswerTask task, RunningTexts texts, String model, String headers) {
        this.task = task;
        this.texts = texts;
        this.headers = headers;
        this.answer = new AnswerWriter(task.form(), model, task.options().streaming() == Streaming.WITH_USAGE);
    }

    /**
     * Sends the answer.
     *
     * @throws OpenAiException if a text failed and nothing was sent
     * @throws IOException if the client has left
     */
    void send(HttpExchange exchange) throws IOException {
        try {
            if (task.options().streaming() == Streaming.OFF) {
                whole(exchange);
            } else {
                stream(exchange);
            }
        } catch (InterruptedException stopping) {
            throw new HttpFault(503, "this replica is stopping; call again");
        }
    }

    /**
     * Ends the texts that still run, as when the client has left, and returns the tokens of all: they were computed.
     */
    TokenTotals end() {
        texts.close();
        try {
            while (finished < texts.count()) {
                Numbered last = texts.next(QUIET);
                if (last == null) {
                    return totals;
                }
                ended(last);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return totals;
    }

    private void ended(Numbered next) {
        switch (next.event()) {
            case Piece _ -> {}
            case Finished done -> count(next.choice(), done);
            case Failed _ -> finished++;
        }
    }

    private OpenAiException failed(Failed failed) {
        finished++;
        return RunningTexts.failure(failed.failure());
    }

    private void whole(HttpExchange exchange) throws IOException, InterruptedException {
        List<ChoiceText> all = AnswerForm.texts(texts.count());
        while (finished < texts.count()) {
            Numbered next = texts.next(QUIET);
            if (next != null) {
                add(all.get(next.choice()), next);
            }
        }
        exchange.respondCompressed(answer.whole(all, totals).withHeaders(headers));
    }

    private void add(ChoiceText text, Numbered next) {
        switch (next.event()) {
            case Piece piece -> text.add(piece);
            case Finished done -> {
                text.finish(done.reason());
                count(next.choice(), done);
            }
            case Failed failed -> throw failed(failed);
        }
    }

    private void count(int choice, Finished done) {
        totals = totals.plus(done.usage(), choice % task.perPrompt() == 0);
        finished++;
    }

    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        // What fails before the first event still has a status of its own.
        Numbered first = texts.next(QUIET);
        if (first != null && first.event() instanceof Failed failed) {
            throw failed(failed);
        }
        ResponseWriter out = exchange.respond(200, STREAM + headers, -1);
        for (int choice = 0; choice < texts.count() && task.form().hasOpening(); choice++) {
            write(out, answer.opening(choice));
        }
        try {
            events(out, first);
            if (task.options().streaming() == Streaming.WITH_USAGE) {
                write(out, answer.usage(totals));
            }
            write(out, AnswerWriter.DONE);
        } catch (OpenAiException failed) {
            write(out, AnswerWriter.error(failed));
            out.end();
            throw failed;
        }
        out.end();
    }

    private void events(ResponseWriter out, Numbered first) throws IOException, InterruptedException {
        Numbered next = first;
        while (true) {
            if (next == null) {
                write(out, AnswerWriter.COMMENT);
            } else {
                event(out, next.choice(), next.event());
            }
            if (finished == texts.count()) {
                return;
            }
            next = texts.next(QUIET);
        }
    }

    private void event(ResponseWriter out, int choice, GenerationEvent event) throws IOException {
        switch (event) {
            case Piece piece -> {
                if (AnswerForm.isTold(piece, task.hasLogprobs())) {
                    write(out, answer.piece(choice, piece));
                }
            }
            case Finished done -> {
                count(choice, done);
                write(out, answer.last(choice, done.reason()));
            }
            case Failed failed -> throw failed(failed);
        }
    }

    private static void write(ResponseWriter out, byte[] event) throws IOException {
        out.write(event, event.length);
    }
}
