package io.knabla.functions.tokenizer.compile;

import io.knabla.functions.tokenizer.tree.TokenizerFault;
import java.util.List;

/** Result of compiling a tokenizer.json: a table, or all faults of the document. */
public sealed interface Compiled {
    /** @param table the bytes of a file that {@link io.knabla.functions.tokenizer.Tokenizer} opens */
    record Valid(byte[] table) implements Compiled {}

    /** @param faults never empty; of more than 100 the first ones and a count */
    record Invalid(List<TokenizerFault> faults) implements Compiled {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }
}
