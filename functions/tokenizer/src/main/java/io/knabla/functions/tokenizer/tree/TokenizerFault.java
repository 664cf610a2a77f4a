package io.knabla.functions.tokenizer.tree;

/**
 * One error in a tokenizer.json, with its path.
 *
 * @param path path of the value, such as {@code pre_tokenizer.pretokenizers[0].pattern}; "" for the whole document
 * @param message what was found, what is allowed, what to do
 */
public record TokenizerFault(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
