package io.knabla.functions.compiler.interpreter;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Storage of the elements of an {@link NdArray}: doubles or longs. */
sealed interface ElementStorage {
    /** Maximum number of elements shown in messages. */
    int SHOWN = 8;

    int size();

    double real(int index);

    long whole(int index);

    double[] reals();

    long[] whole();

    ElementStorage pick(int size, IntUnaryOperator from);

    record Reals(double[] values) implements ElementStorage {
        @Override
        public int size() {
            return values.length;
        }

        @Override
        public double real(int index) {
            return values[index];
        }

        @Override
        public long whole(int index) {
            return (long) values[index];
        }

        @Override
        public double[] reals() {
            return values;
        }

        @Override
        public long[] whole() {
            return Arrays.stream(values).mapToLong(value -> (long) value).toArray();
        }

        @Override
        public ElementStorage pick(int size, IntUnaryOperator from) {
            double[] picked = new double[size];
            for (int i = 0; i < size; i++) {
                int source = from.applyAsInt(i);
                picked[i] = source < 0 ? 0 : values[source];
            }
            return new Reals(picked);
        }

        @Override
        public String toString() {
            String shown = Arrays.toString(Arrays.copyOf(values, Math.min(SHOWN, values.length)));
            return values.length > SHOWN ? shown + "…" : shown;
        }
    }

    record Whole(long[] values) implements ElementStorage {
        @Override
        public int size() {
            return values.length;
        }

        @Override
        public double real(int index) {
            return values[index];
        }

        @Override
        public long whole(int index) {
            return values[index];
        }

        @Override
        public double[] reals() {
            return Arrays.stream(values).mapToDouble(value -> value).toArray();
        }

        @Override
        public long[] whole() {
            return values;
        }

        @Override
        public ElementStorage pick(int size, IntUnaryOperator from) {
            long[] picked = new long[size];
            for (int i = 0; i < size; i++) {
                int source = from.applyAsInt(i);
                picked[i] = source < 0 ? 0 : values[source];
            }
            return new Whole(picked);
        }

        @Override
        public String toString() {
            String shown = Arrays.toString(Arrays.copyOf(values, Math.min(SHOWN, values.length)));
            return values.length > SHOWN ? shown + "…" : shown;
        }
    }
}
