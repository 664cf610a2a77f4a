package io.knabla.functions.tokenizer.decode;

/** Changes each token alone, by its text and its position. */
final class TokenStage implements Stage {
    interface Change {
        String apply(String token, int index);
    }

    private final Change change;
    private final Stage next;
    private int index;

    TokenStage(Change change, Stage next) {
        this.change = change;
        this.next = next;
    }

    @Override
    public void token(String token) {
        next.token(change.apply(token, index));
        index = Math.min(index + 1, 1);
    }

    @Override
    public void end() {
        next.end();
    }
}
