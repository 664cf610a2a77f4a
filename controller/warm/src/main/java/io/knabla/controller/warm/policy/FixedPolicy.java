package io.knabla.controller.warm.policy;

/** Keeps each idle replica for the same time: Never for 0, Always for {@link Window#FOREVER}. No state. */
public record FixedPolicy(String name, long keepMillis, Reason reason) implements WarmPolicy, FunctionPolicy {
    public static FixedPolicy never() {
        return new FixedPolicy("Never", 0, Reason.NEVER);
    }

    public static FixedPolicy always() {
        return new FixedPolicy("Always", Window.FOREVER, Reason.ALWAYS);
    }

    public static FixedPolicy fixed(long keepMillis) {
        return new FixedPolicy("Fixed", keepMillis, Reason.FIXED_TIME);
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        return this;
    }

    @Override
    public void started(int replica, long now) {}

    @Override
    public void ended(int replica, long now) {}

    @Override
    public Decision decide(int replica, long now) {
        return keepMillis == 0 ? Decision.release(reason) : Decision.of(Window.lasting(now, keepMillis), reason);
    }

    @Override
    public SavedState state() {
        return SavedState.of(name);
    }

    @Override
    public boolean restore(SavedState state) {
        return state.restore(name);
    }
}
