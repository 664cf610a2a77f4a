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
import io.knabla.runtime.prefill.PrefixProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Answers {@code POST /prefix-blocks}: reads a prompt for a replica of another function, sends its keys and values. */
final class PrefixAnswer {
    private static final int PIECE = 128 << 10;
    private static final KnownFields FIELDS =
            KnownFields.only(PrefixProtocol.PROMPT, PrefixProtocol.FIRST_BLOCK, PrefixProtocol.DIGEST);

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
                    RunningTexts.accepted(model.generator().read(task.prompt, blocks), PrefixProtocol.PROMPT);
            exchange.onClientGone(reading::cancel);
            TokenUsage usage = await(reading);
            send(exchange, blocks.blocks(), usage, headers);
            return usage;
        }
    }

    private Task task(HttpRequest request) {
        RequestFields fields = RequestFields.read(request.body(), request.bodyLength());
        FIELDS.check(fields);
        checkKeyValues(fields);
        long first =
                fields.whole(PrefixProtocol.FIRST_BLOCK, 0, Integer.MAX_VALUE).orElse(0);
        var prompts = new Prompts(
                fields, encoder, model.generator().settings().shape().vocabulary());
        prompts.checkIsTokens();
        fields.throwFaults();
        return new Task(prompts.encode().getFirst(), (int) first);
    }

    /** Also of who asks without one: keys and values of another model would make a text without sense. */
    private void checkKeyValues(RequestFields fields) {
        String own = model.keyValues().digest().value();
        String asked = fields.text(PrefixProtocol.DIGEST).orElse("");
        if (!asked.equals(own)) {
            throw OpenAiException.failed(
                    409,
                    "'%s' is %s, and here it is '%s'; both functions need the same model, quantize, generation.contextLength and generation.kvCache.type"
                            .formatted(PrefixProtocol.DIGEST, RequestFields.quote(asked), own));
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
                .formatted(PrefixProtocol.BLOCKS, blocks.size(), PrefixProtocol.CACHED, usage.cached());
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
