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
    XLM_ROBERTA_SCORE("XLMRobertaForSequenceClassification", Family.ROBERTA, Head.SCORE);

    /** What differs below the head. */
    public enum Family {
        /** Positions count from 0; each token has a type. */
        BERT("bert."),
        /** Positions count from one above the padding token's id; all tokens have one type. */
        ROBERTA("roberta.");

        private final String prefix;

        Family(String prefix) {
            this.prefix = prefix;
        }

        /** Begins the names of tensors in files of a model with a head. */
        public String prefix() {
            return prefix;
        }
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
        return className.toLowerCase(Locale.ROOT).contains("bert");
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
