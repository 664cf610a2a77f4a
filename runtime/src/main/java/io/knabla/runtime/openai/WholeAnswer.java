package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import java.util.ArrayList;
import java.util.List;

/** Waits for whole texts. */
final class WholeAnswer {
    private WholeAnswer() {}

    /** @throws RefusedException if a text fails; the others are cancelled then */
    static List<CompletedText> of(Texts texts) throws InterruptedException {
        List<CompletedText> completed = new ArrayList<>();
        try {
            for (Generation generation : texts.generations()) {
                completed.add(completed(generation));
            }
            return completed;
        } finally {
            texts.cancel();
        }
    }

    private static CompletedText completed(Generation generation) throws InterruptedException {
        var text = new StringBuilder();
        List<GeneratedToken> tokens = new ArrayList<>();
        while (true) {
            switch (generation.next()) {
                case GenerationEvent.Piece(var more, var added) -> {
                    text.append(more);
                    tokens.addAll(added);
                }
                case GenerationEvent.Finished(var reason, var usage) -> {
                    return new CompletedText(text.toString(), tokens, reason, usage);
                }
                case GenerationEvent.Failed(var failure) -> throw new RefusedException(Texts.error(failure));
            }
        }
    }
}
