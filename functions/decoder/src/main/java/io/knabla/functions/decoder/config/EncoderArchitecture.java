package io.knabla.functions.decoder.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Architectures of encoders, by their names in config.json: transformers that read a text in both directions. */
public enum EncoderArchitecture {
    BERT("BertModel", Family.BERT, Head.NONE),
    BERT_MASKED("BertForMaskedLM", Family.BERT, Head.WORDS),
    BERT_SCORE("BertForSequenceClassification", Family.BERT, Head.SCORE),
    ROBERTA("RobertaModel", Family.ROBERTA, Head.NONE),
    ROBERTA_MASKED("RobertaForMaskedLM", Family.ROBERTA, Head.WORDS),
    ROBERTA_SCORE("RobertaForSequenceClassification", Family.ROBERTA, Head.SCORE),
    XLM_ROBERTA("XLMRobertaModel", Family.ROBERTA, Head.NONE),
    XLM_ROBERTA_MASKED("XLMRobertaForMaskedLM", Family.ROBERTA, Head.WORDS),
    XLM_ROBERTA_SCORE("XLMRobertaForSequenceClassification", Family.ROBERTA, Head.SCORE),
    MPNET("MPNetModel", Family.MPNET, Head.NONE),
    MPNET_MASKED("MPNetForMaskedLM", Family.MPNET, Head.WORDS),
    MPNET_SCORE("MPNetForSequenceClassification", Family.MPNET, Head.SCORE),
    DISTILBERT("DistilBertModel", Family.DISTILBERT, Head.NONE),
    DISTILBERT_MASKED("DistilBertForMaskedLM", Family.DISTILBERT, Head.WORDS),
    DISTILBERT_SCORE("DistilBertForSequenceClassification", Family.DISTILBERT, Head.SCORE),
    MODERNBERT("ModernBertModel", Family.MODERNBERT, Head.NONE),
    MODERNBERT_MASKED("ModernBertForMaskedLM", Family.MODERNBERT, Head.WORDS),
    MODERNBERT_SCORE("ModernBertForSequenceClassification", Family.MODERNBERT, Head.SCORE);

    /** What differs below the head. */
    public enum Family {
        /** Each token has a type. */
        BERT("bert.", Counting.FROM_ZERO),
        /** All tokens have one type. */
        ROBERTA("roberta.", Counting.BEHIND_PADDING),
        /** No types; scores of attention get a bias by the distance of two tokens. */
        MPNET("mpnet.", Counting.BEHIND_PADDING),
        /** No types. */
        DISTILBERT("distilbert.", Counting.FROM_ZERO),
        /** What {@link ModernBert} tells. */
        MODERNBERT("model.", Counting.FROM_ZERO);

        private final String prefix;
        private final Counting counting;

        Family(String prefix, Counting counting) {
            this.prefix = prefix;
            this.counting = counting;
        }

        /** Begins the names of tensors in files of a model with a head. */
        public String prefix() {
            return prefix;
        }

        /** Name of the tensor of words' embeddings, without the prefix. */
        public String words() {
            return this == MODERNBERT ? "embeddings.tok_embeddings.weight" : "embeddings.word_embeddings.weight";
        }

        public Counting counting() {
            return counting;
        }
    }

    /** The position of a text's first token. */
    public enum Counting {
        FROM_ZERO,
        /** One above the padding token's id. */
        BEHIND_PADDING
    }

    /** What stands above the layers. */
    public enum Head {
        NONE,
        /** Predicts masked words, which embeddings leave out. */
        WORDS,
        /** Gives a text, or a pair of texts, one number. */
        SCORE
    }

    private final String className;
    private final Family family;
    private final Head head;

    EncoderArchitecture(String className, Family family, Head head) {
        this.className = className;
        this.family = family;
        this.head = head;
    }

    /** Name of the class of Hugging Face transformers, as config.json has it in {@code architectures}. */
    public String className() {
        return className;
    }

    public Family family() {
        return family;
    }

    public Head head() {
        return head;
    }

    /** Whether a name in {@code architectures} is that of an encoder, which need not be one of these. */
    public static boolean isLike(String className) {
        String name = className.toLowerCase(Locale.ROOT);
        return name.contains("bert") || name.contains("mpnet");
    }

    static Optional<EncoderArchitecture> of(String className) {
        return Arrays.stream(values())
                .filter(known -> known.className.equals(className))
                .findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(EncoderArchitecture::className).toList();
    }
}
