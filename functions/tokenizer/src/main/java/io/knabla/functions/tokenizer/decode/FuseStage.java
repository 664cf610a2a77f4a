package io.knabla.functions.tokenizer.decode;

/** Joins all tokens to one, which is known at the end. */
final class FuseStage implements Stage {
    private final StringBuilder whole = new StringBuilder();
    private final Stage next;

    FuseStage(Stage next) {
        this.next = next;
    }

    @Override
    public void token(String token) {
        whole.append(token);
    }

    @Override
    public void end() {
        next.token(whole.toString());
        next.end();
    }
}
