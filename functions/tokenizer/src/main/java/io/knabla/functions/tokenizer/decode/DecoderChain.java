package io.knabla.functions.tokenizer.decode;

import io.knabla.functions.tokenizer.spec.Decoder;
import io.knabla.functions.tokenizer.spec.PrependScheme;
import io.knabla.functions.tokenizer.text.Matches;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Decodes tokens as they come. For one thread and one text. */
public final class DecoderChain {
    private final StringBuilder text = new StringBuilder();
    private final Stage first;

    public DecoderChain(Decoder decoder) {
        first = into(flat(decoder), new Output(text));
    }

    /** Adds a token and returns the text that is certain since the last call. */
    public String accept(String token) {
        first.token(token);
        return taken();
    }

    /** Ends the text and returns the rest of it. */
    public String finish() {
        first.end();
        return taken();
    }

    private String taken() {
        String taken = text.toString();
        text.setLength(0);
        return taken;
    }

    /** The steps of a decoder in their order, none a sequence of others. */
    static List<Decoder> flat(Decoder decoder) {
        var flat = new ArrayList<Decoder>();
        if (decoder instanceof Decoder.Sequence(var steps)) {
            steps.forEach(step -> flat.addAll(flat(step)));
        } else {
            flat.add(decoder);
            if (decoder instanceof Decoder.ByteLevel) {
                flat.add(new Decoder.Fuse());
            }
        }
        return flat;
    }

    private static Stage into(List<Decoder> steps, Stage output) {
        Stage next = output;
        for (int i = steps.size() - 1; i >= 0; i--) {
            next = stage(steps.get(i), steps.subList(0, i), next);
        }
        return next;
    }

    private static Stage stage(Decoder step, List<Decoder> before, Stage next) {
        return switch (step) {
            case Decoder.Spaces _ -> new TokenStage((token, index) -> index == 0 ? token : " " + token, next);
            case Decoder.ByteLevel _ -> new ByteLevelStage(next);
            case Decoder.ByteFallback _ -> new ByteFallbackStage(next);
            case Decoder.Metaspace(var mark, var prepend) -> metaspace(mark, prepend, next);
            case Decoder.WordPiece(var prefix, var cleanup) -> wordPiece(prefix, cleanup, next);
            case Decoder.Replace(var pattern, var content) ->
                new TokenStage((token, _) -> Matches.replace(pattern, token, content), next);
            // A strip of one token works on its parts as they come; every other step needs it whole.
            case Decoder.Fuse _ -> next instanceof StripStage || next instanceof Output ? next : new FuseStage(next);
            case Decoder.Strip strip -> strip(strip, isFused(before), next);
            case Decoder.Sequence _ -> throw new IllegalStateException("sequences are flat here");
        };
    }

    private static boolean isFused(List<Decoder> before) {
        for (Decoder step : before.reversed()) {
            if (!(step instanceof Decoder.Strip)) {
                return step instanceof Decoder.Fuse;
            }
        }
        return false;
    }

    private static Stage strip(Decoder.Strip strip, boolean fused, Stage next) {
        return fused ? new StripStage(strip, next) : new TokenStage((token, _) -> StripStage.whole(strip, token), next);
    }

    /** The first token loses all marks where the pre-tokenizer puts one before the text. */
    private static Stage metaspace(int mark, PrependScheme prepend, Stage next) {
        String shown = Character.toString(mark);
        String ofFirst = prepend == PrependScheme.NEVER ? " " : "";
        return new TokenStage((token, index) -> token.replace(shown, index == 0 ? ofFirst : " "), next);
    }

    private static Stage wordPiece(String prefix, boolean cleanup, Stage next) {
        UnaryOperator<String> clean = cleanup ? DecoderChain::cleanup : UnaryOperator.identity();
        return new TokenStage(
                (token, index) -> {
                    if (index == 0) {
                        return clean.apply(token);
                    }
                    return clean.apply(token.startsWith(prefix) ? token.substring(prefix.length()) : " " + token);
                },
                next);
    }

    /** Undoes the spaces of English tokenization, in the order of the original. */
    private static String cleanup(String token) {
        return token.replace(" .", ".")
                .replace(" ?", "?")
                .replace(" !", "!")
                .replace(" ,", ",")
                .replace(" ' ", "'")
                .replace(" n't", "n't")
                .replace(" 'm", "'m")
                .replace(" do not", " don't")
                .replace(" 's", "'s")
                .replace(" 've", "'ve")
                .replace(" 're", "'re");
    }
}
