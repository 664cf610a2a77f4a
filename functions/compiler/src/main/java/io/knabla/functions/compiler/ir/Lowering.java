package io.knabla.functions.compiler.ir;

import java.util.List;
import java.util.Optional;

/** Rewrites an operation of a file into the canonical form that the compiler supports. */
@FunctionalInterface
public interface Lowering {
    /**
     * Returns the values that replace the operation's outputs, or empty if the operation is already canonical. Throws
     * {@link UnsupportedOperatorException} for an operation that cannot be expressed.
     */
    Optional<List<Value>> lower(Ops code, Call call);

    /**
     * Operation as it stands in the file.
     *
     * @param opset version of its operator set in the file
     * @param outputs number of outputs in the file
     */
    record Call(Op.Spec spec, long opset, int outputs) {
        public String type() {
            return spec.type();
        }

        public Attributes attributes() {
            return spec.attributes();
        }

        /** The input, or null if it is omitted. */
        public Value input(int index) {
            return index < spec.inputs().size() ? spec.inputs().get(index) : null;
        }

        public boolean has(int input) {
            return input(input) != null;
        }
    }
}
