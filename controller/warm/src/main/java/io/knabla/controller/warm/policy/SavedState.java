package io.knabla.controller.warm.policy;

/**
 * What a policy knows of one function, to be stored and restored after a restart.
 *
 * @param version of the layout; a state of another one is not restored
 * @param policy that the state is of
 * @param values a bounded number of them, all finite
 */
public record SavedState(int version, String policy, double[] values) {
    public static final int VERSION = 1;

    public static SavedState of(String policy, double[]... parts) {
        int length = 0;
        for (double[] part : parts) {
            length += part.length;
        }
        double[] values = new double[length];
        int at = 0;
        for (double[] part : parts) {
            System.arraycopy(part, 0, values, at, part.length);
            at += part.length;
        }
        return new SavedState(VERSION, policy, values);
    }

    /** Copies the values back into the same parts; false, and nothing copied, if this state is not of them. */
    public boolean restore(String of, double[]... parts) {
        int length = 0;
        for (double[] part : parts) {
            length += part.length;
        }
        if (version != VERSION || !policy.equals(of) || values.length != length) {
            return false;
        }
        int at = 0;
        for (double[] part : parts) {
            System.arraycopy(values, at, part, 0, part.length);
            at += part.length;
        }
        return true;
    }
}
