package io.knabla.functions.tokenizer;

import io.knabla.functions.tokenizer.decode.DecoderChain;
import io.knabla.functions.tokenizer.decode.TokenBytes;
import io.knabla.functions.tokenizer.model.IdList;
import io.knabla.functions.tokenizer.model.PieceEncoder;
import io.knabla.functions.tokenizer.spec.AddedToken;
import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.spec.SpecReader;
import io.knabla.functions.tokenizer.spec.Template.Part;
import io.knabla.functions.tokenizer.spec.TokenizerSpec;
import io.knabla.functions.tokenizer.table.BadTableException;
import io.knabla.functions.tokenizer.table.Table;
import io.knabla.functions.tokenizer.text.Surrogates;
import io.knabla.functions.tokenizer.text.TextPipeline;
import io.knabla.functions.tokenizer.tree.Faults;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Turns texts into token ids and back, as the tokenizer.json does from which its table was compiled. Safe for use by
 * several threads.
 *
 * <p>A lone surrogate in a text, which UTF-8 cannot express, is read as U+FFFD.
 */
public final class Tokenizer {
    private static final int MOST_IDLE_ENCODERS = 16;

    /** Encoders of longer texts have large buffers, and are not kept. */
    private static final int LONGEST_KEPT = 1 << 16;

    private final Table table;
    private final TokenizerSpec spec;
    private final TextPipeline pipeline;
    private final BitSet special = new BitSet();
    private final BlockingQueue<PieceEncoder> idle = new ArrayBlockingQueue<>(MOST_IDLE_ENCODERS);

    private Tokenizer(Table table) {
        this.table = table;
        var faults = new Faults();
        spec = SpecReader.read(table.settings(), table.tokens(), faults);
        if (!faults.isEmpty()) {
            throw new BadTableException("its settings: " + faults.list().getFirst());
        }
        checkModel();
        pipeline = new TextPipeline(spec);
        spec.added().stream().filter(AddedToken::special).forEach(token -> special.set(token.id()));
    }

    private void checkModel() {
        if (!(spec.model() instanceof Model.Unigram unigram)) {
            return;
        }
        int scores = table.scores().limit();
        if (unigram.unknownId() >= scores || scores > table.tokens().size()) {
            throw new BadTableException("it has %d scores for %d tokens"
                    .formatted(scores, table.tokens().size()));
        }
        table.trie().checkScores(scores);
    }

    /**
     * Opens a table where it lies in the buffer, which must not change.
     *
     * @throws BadTableException if the bytes are no table, or a damaged one
     */
    public static Tokenizer of(ByteBuffer table) {
        return new Tokenizer(Table.open(table));
    }

    /**
     * Maps and opens the table in a file, which must not change.
     *
     * @throws BadTableException if the file is no table, or a damaged one
     */
    public static Tokenizer open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new BadTableException("it has more than 2 GiB");
            }
            return of(channel.map(MapMode.READ_ONLY, 0, channel.size()));
        }
    }

    /** Number of ids, those without a token included. */
    public int size() {
        return table.tokens().size();
    }

    /** Text of a token as it is in the vocabulary; empty for an id without one. */
    public String token(int id) {
        return table.tokens().text(id);
    }

    /** Id of a token of the model or of an added one. */
    public OptionalInt id(String token) {
        int inModel = table.tokens().id(token);
        return inModel >= 0
                ? OptionalInt.of(inModel)
                : spec.added().stream()
                        .filter(added -> added.content().equals(token))
                        .mapToInt(AddedToken::id)
                        .findFirst();
    }

    /** Whether decoding may leave the token out. */
    public boolean isSpecial(int id) {
        return id >= 0 && special.get(id);
    }

    /**
     * Encodes one text.
     *
     * @param special whether to add the special tokens of the template, such as {@code [CLS]}
     * @throws io.knabla.functions.tokenizer.pattern.TooMuchWorkException if a regular expression of the tokenizer needs
     *     far more than linear time
     */
    public Encoding encode(String text, boolean special) {
        return arrange(spec.template().single(), new int[][] {ids(text), {}}, special);
    }

    /** Encodes two texts as one, such as a question and a passage; otherwise like {@link #encode(String, boolean)}. */
    public Encoding encode(String text, String second, boolean special) {
        return arrange(spec.template().pair(), new int[][] {ids(text), ids(second)}, special);
    }

    private int[] ids(String text) {
        var ids = new IdList();
        PieceEncoder ready = idle.poll();
        PieceEncoder encoder = ready == null ? PieceEncoder.of(spec.model(), table) : ready;
        pipeline.run(Surrogates.repair(text), ids::add, (piece, from, to, _) -> encoder.encode(piece, from, to, ids));
        if (text.length() <= LONGEST_KEPT) {
            idle.offer(encoder);
        }
        return ids.toArray();
    }

    private static Encoding arrange(List<Part> template, int[][] texts, boolean special) {
        var ids = new IdList();
        var types = new IdList();
        for (Part part : template) {
            switch (part) {
                case Part.Text(var second, var type) -> {
                    for (int id : texts[second ? 1 : 0]) {
                        ids.add(id);
                        types.add(type);
                    }
                }
                case Part.Special(var added, var type) -> {
                    for (int id : special ? added : List.<Integer>of()) {
                        ids.add(id);
                        types.add(type);
                    }
                }
            }
        }
        return new Encoding(ids.toArray(), types.toArray());
    }

    /**
     * Decodes ids; ids without a token are left out.
     *
     * @param skipSpecial whether to leave special tokens out
     */
    public String decode(int[] ids, boolean skipSpecial) {
        TextStream stream = stream(skipSpecial);
        var text = new StringBuilder();
        for (int id : ids) {
            text.append(stream.accept(id));
        }
        return text.append(stream.finish()).toString();
    }

    /** Bytes of single tokens; empty where those of a token depend on the tokens around it. */
    public Optional<TokenBytes> bytes() {
        return TokenBytes.of(spec.decoder());
    }

    /** A decoder for ids that come one at a time. */
    public TextStream stream(boolean skipSpecial) {
        return new TextStream(this, skipSpecial, new DecoderChain(spec.decoder()));
    }
}
