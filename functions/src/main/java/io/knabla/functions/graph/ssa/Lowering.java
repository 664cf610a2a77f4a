package io.knabla.functions.graph.ssa;

import java.util.List;
import java.util.Optional;

/** Puts a file's operation into the one form that the rest of the code knows. */
@FunctionalInterface
public interface Lowering {
    /**
     * The values of the operation's outputs, or empty where it stands as it is. Throws {@link Refusal} for what cannot
     * be expressed.
     */
    Optional<List<Value>> lower(Ops code, Call call);

    /**
     * An operation as the file has it.
     *
     * @param opset version of its operator set in the file
     * @param outputs how many the file asks for
     */
    record Call(Op.Spec spec, long opset, int outputs) {
        public String type() {
            return spec.type();
        }

        public Attributes attributes() {
            return spec.attributes();
        }

        /** The input, null where it is left out. */
        public Value input(int index) {
            return index < spec.inputs().size() ? spec.inputs().get(index) : null;
        }

        public boolean has(int input) {
            return input(input) != null;
        }
    }
}
