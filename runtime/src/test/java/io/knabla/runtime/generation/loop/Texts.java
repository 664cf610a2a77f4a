package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationEvent.Failed;
import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.Submission;
import java.util.ArrayList;
import java.util.List;

/** Reads generations to their end. */
final class Texts {
    private Texts() {}

    /** All of a text. */
    record Whole(List<Piece> pieces, GenerationEvent last) {
        String text() {
            return String.join("", pieces.stream().map(Piece::text).toList());
        }

        List<Integer> ids() {
            return tokens().stream().map(GeneratedToken::id).toList();
        }

        List<GeneratedToken> tokens() {
            return pieces.stream().flatMap(piece -> piece.tokens().stream()).toList();
        }

        FinishReason reason() {
            return ((Finished) last).reason();
        }

        Failed failure() {
            return (Failed) last;
        }
    }

    static Whole generate(Generator generator, GenerationRequest request) throws InterruptedException {
        return read(submit(generator, request));
    }

    static Generation submit(Generator generator, GenerationRequest request) {
        return switch (generator.submit(request)) {
            case Submission.Accepted(var generation) -> generation;
            case Submission.QueueFull full -> throw new AssertionError(full);
            case Submission.PromptTooLong tooLong -> throw new AssertionError(tooLong);
            case Submission.Invalid invalid -> throw new AssertionError(invalid);
            case Submission.Closed closed -> throw new AssertionError(closed);
        };
    }

    static Whole read(Generation generation) throws InterruptedException {
        List<Piece> pieces = new ArrayList<>();
        GenerationEvent next = generation.next();
        while (next instanceof Piece piece) {
            pieces.add(piece);
            next = generation.next();
        }
        return new Whole(pieces, next);
    }
}
