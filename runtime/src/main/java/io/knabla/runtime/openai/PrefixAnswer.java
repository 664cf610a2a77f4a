package io.knabla.runtime.openai;

import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationEvent.Failed;
import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.ResponseWriter;
import io.knabla.runtime.prefill.PrefixMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads prompts for the replicas of another function, and answers with their keys and values. */
final class PrefixAnswer {
    private static final int PIECE = 128 << 10;
    private static final KnownFields FIELDS =
            KnownFields.only(PrefixMessages.PROMPT, PrefixMessages.FIRST_BLOCK, PrefixMessages.LAYOUT);

    private final GenerationModel model;
    private final PromptEncoder encoder;

    PrefixAnswer(GenerationModel model, PromptEncoder encoder) {
        this.model = model;
        this.encoder = encoder;
    }

    private record Task(int[] prompt, int firstBlock) {}

    /**
     * Reads a prompt and sends what was computed; the tokens that it took.
     *
     * @throws OpenAiException if the request is refused, or the engine failed
     * @throws IOException if the client has left
     */
    TokenUsage send(HttpExchange exchange, String headers) throws IOException {
        Task task = task(exchange.request());
        try (var blocks = new PrefixBlocks(task.firstBlock)) {
            Generation reading =
                    RunningTexts.accepted(model.generator().read(task.prompt, blocks), PrefixMessages.PROMPT);
            exchange.onClientGone(reading::cancel);
            TokenUsage usage = await(reading);
            send(exchange, blocks.blocks(), usage, headers);
            return usage;
        }
    }

    private Task task(HttpRequest request) {
        RequestFields fields = RequestFields.read(request.body(), request.bodyLength());
        FIELDS.check(fields);
        checkLayout(fields);
        long first =
                fields.whole(PrefixMessages.FIRST_BLOCK, 0, Integer.MAX_VALUE).orElse(0);
        var prompts = new Prompts(
                fields, encoder, model.generator().settings().shape().vocabulary());
        prompts.checkIsTokens();
        fields.throwFaults();
        return new Task(prompts.encode().getFirst(), (int) first);
    }

    /** Also of who asks without one: keys and values of another model would make a text without sense. */
    private void checkLayout(RequestFields fields) {
        String own = model.layout().digest().value();
        String asked = fields.text(PrefixMessages.LAYOUT).orElse("");
        if (!asked.equals(own)) {
            throw OpenAiException.failed(
                    409,
                    "'%s' is %s, and here it is '%s'; both functions need the same model, quantize, generation.contextLength and generation.kvCache.type"
                            .formatted(PrefixMessages.LAYOUT, RequestFields.quote(asked), own));
        }
    }

    private static TokenUsage await(Generation reading) {
        try {
            while (true) {
                GenerationEvent event = reading.next();
                switch (event) {
                    case Piece _ -> {}
                    case Finished(var _, var usage) -> {
                        return usage;
                    }
                    case Failed(var failure) -> throw RunningTexts.failure(failure);
                }
            }
        } catch (InterruptedException stopping) {
            reading.cancel();
            throw new HttpFault(503, "this replica is stopping; call again");
        }
    }

    private static void send(HttpExchange exchange, List<ByteBuffer> blocks, TokenUsage usage, String headers)
            throws IOException {
        String about = "Content-Type: application/octet-stream\r\n%s: %d\r\n%s: %d\r\n"
                .formatted(PrefixMessages.BLOCKS, blocks.size(), PrefixMessages.CACHED, usage.cached());
        long length = blocks.stream().mapToLong(ByteBuffer::remaining).sum();
        ResponseWriter out = exchange.respond(200, headers + about, length);
        byte[] piece = new byte[(int) Math.min(PIECE, length)];
        for (ByteBuffer block : blocks) {
            while (block.hasRemaining()) {
                int count = Math.min(piece.length, block.remaining());
                block.get(piece, 0, count);
                out.write(piece, count);
            }
        }
        out.end();
    }
}
