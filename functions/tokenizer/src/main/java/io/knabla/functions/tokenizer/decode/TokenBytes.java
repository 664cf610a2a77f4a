package io.knabla.functions.tokenizer.decode;

import io.knabla.functions.tokenizer.spec.Decoder;
import io.knabla.functions.tokenizer.text.Matches;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Bytes that one token adds to a text that it does not begin, as {@link DecoderChain} decodes it. Immutable, safe for
 * use by several threads.
 */
public final class TokenBytes {
    private final List<Decoder> steps;

    private TokenBytes(List<Decoder> steps) {
        this.steps = steps;
    }

    /** Empty for a decoder with which the bytes of a token depend on the tokens around it. */
    public static Optional<TokenBytes> of(Decoder decoder) {
        List<Decoder> steps = DecoderChain.flat(decoder);
        return canSplit(steps) ? Optional.of(new TokenBytes(steps)) : Optional.empty();
    }

    private static boolean canSplit(List<Decoder> steps) {
        boolean joined = false;
        for (Decoder step : steps) {
            boolean splits = switch (step) {
                case Decoder.ByteLevel _, Decoder.ByteFallback _, Decoder.Fuse _ -> true;
                case Decoder.Metaspace _, Decoder.Replace _ -> !joined;
                // What is stripped from a whole text are blanks before it.
                case Decoder.Strip strip -> joined && strip.stop() == 0;
                case Decoder.Spaces _, Decoder.WordPiece _, Decoder.Sequence _ -> false;
            };
            if (!splits) {
                return false;
            }
            joined |= step instanceof Decoder.Fuse || step instanceof Decoder.ByteFallback;
        }
        return true;
    }

    /** @param token as it is in the vocabulary */
    public byte[] of(String token) {
        String text = token;
        for (Decoder step : steps) {
            if (step instanceof Decoder.ByteLevel) {
                return ByteLevelStage.bytes(text);
            }
            int single = step instanceof Decoder.ByteFallback ? ByteFallbackStage.value(text) : -1;
            if (single >= 0) {
                return new byte[] {(byte) single};
            }
            text = changed(step, text);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String changed(Decoder step, String text) {
        return switch (step) {
            case Decoder.Replace(var pattern, var content) -> Matches.replace(pattern, text, content);
            case Decoder.Metaspace(var mark, var _) -> text.replace(Character.toString(mark), " ");
            default -> text;
        };
    }
}
