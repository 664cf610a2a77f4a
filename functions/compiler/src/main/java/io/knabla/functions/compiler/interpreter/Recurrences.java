package io.knabla.functions.compiler.interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Kernels of recurrent layers with their default activations. */
final class Recurrences {
    private Recurrences() {}

    static void register(Map<String, Kernel> table) {
        table.put("RNN", call -> new Layer(call, 1, Recurrences::simple).run().subList(0, 2));
        table.put("GRU", call -> new Layer(call, 3, Recurrences::gru).run().subList(0, 2));
        table.put("LSTM", call -> new Layer(call, 4, Recurrences::lstm).run());
    }

    /**
     * Inputs and states of a cell for one batch element at one time step.
     *
     * @param fromInput W·x + bias, gate by gate
     * @param fromState R·h + bias, gate by gate
     * @param h state; replaced
     * @param c cell state of an LSTM; replaced
     */
    private record TimeStep(
            Layer layer, int direction, double[] fromInput, double[] fromState, double[] h, double[] c) {
        double gate(int gate, int unit) {
            int at = gate * h.length + unit;
            return layer.clipped(fromInput[at] + fromState[at]);
        }
    }

    private interface Cell {
        void step(TimeStep moment);
    }

    private static void simple(TimeStep at) {
        for (int u = 0; u < at.h.length; u++) {
            at.h[u] = Math.tanh(at.gate(0, u));
        }
    }

    /** Gates: update, reset, hidden. */
    private static void gru(TimeStep at) {
        int n = at.h.length;
        double[] old = at.h.clone();
        double[] reset = new double[n];
        for (int u = 0; u < n; u++) {
            reset[u] = Unary.sigmoid(at.gate(1, u));
        }
        double[] gated = new double[n];
        for (int u = 0; u < n; u++) {
            gated[u] = reset[u] * old[u];
        }
        boolean before = at.layer.call.integer("linear_before_reset", 0) != 0;
        double[] again = before ? at.fromState : at.layer.fromState(at.direction, gated);
        for (int u = 0; u < n; u++) {
            double update = Unary.sigmoid(at.gate(0, u));
            double recurrent = again[2 * n + u] * (before ? reset[u] : 1);
            double hidden = Math.tanh(at.layer.clipped(at.fromInput[2 * n + u] + recurrent));
            at.h[u] = (1 - update) * hidden + update * old[u];
        }
    }

    /** Gates: input, output, forget, cell; peepholes: input, output, forget. */
    private static void lstm(TimeStep at) {
        int n = at.h.length;
        for (int u = 0; u < n; u++) {
            double input = Unary.sigmoid(at.gate(0, u) + at.layer.peephole(at.direction, 0, u) * at.c[u]);
            double forget = Unary.sigmoid(at.gate(2, u) + at.layer.peephole(at.direction, 2, u) * at.c[u]);
            at.c[u] = forget * at.c[u] + input * Math.tanh(at.gate(3, u));
            double output = Unary.sigmoid(at.gate(1, u) + at.layer.peephole(at.direction, 1, u) * at.c[u]);
            at.h[u] = output * Math.tanh(at.c[u]);
        }
    }

    /** Tensors of one node, always in the layout with time first. */
    private static final class Layer {
        private final Call call;
        private final Cell cell;
        private final NdArray x;
        private final int gates;
        private final int hidden;
        private final int directions;
        private final int steps;
        private final int batch;
        private final boolean batchFirst;

        Layer(Call call, int gates, Cell cell) {
            this.call = call;
            this.cell = cell;
            this.gates = gates;
            batchFirst = call.integer("layout", 0) == 1;
            x = batchFirst ? Layouts.permuted(call, call.input(0), 1, 0, 2) : call.input(0);
            directions = call.input(1).dim(0);
            hidden = call.input(2).dim(2);
            steps = x.dim(0);
            batch = x.dim(1);
            if (call.attributes().containsKey("activations") && !usual() || call.integer("input_forget", 0) != 0) {
                throw new EvaluationException("only the default activations and gates are evaluated");
            }
            call.spend(steps, batch, directions, (long) gates * hidden, hidden + x.dim(2));
        }

        private boolean usual() {
            List<String> usual = switch (gates) {
                case 1 -> List.of("tanh");
                case 3 -> List.of("sigmoid", "tanh");
                default -> List.of("sigmoid", "tanh", "tanh");
            };
            var stated = new ArrayList<String>();
            call.attributes()
                    .get("activations")
                    .getStringsList()
                    .forEach(s -> stated.add(s.toStringUtf8().toLowerCase(Locale.ROOT)));
            for (int i = 0; i < stated.size(); i++) {
                if (!stated.get(i).equals(usual.get(i % usual.size()))) {
                    return false;
                }
            }
            return true;
        }

        double clipped(double value) {
            double clip = call.real("clip", Double.POSITIVE_INFINITY);
            return Math.max(-clip, Math.min(clip, value));
        }

        double peephole(int direction, int gate, int unit) {
            return call.has(7) ? call.input(7).real((direction * 3 + gate) * hidden + unit) : 0;
        }

        double[] fromState(int direction, double[] h) {
            return product(2, direction, gates * hidden, k -> h[(int) k], hidden);
        }

        private double[] product(int weights, int direction, int bias, DoubleUnaryOperator in, int width) {
            double[] out = new double[gates * hidden];
            for (int g = 0; g < out.length; g++) {
                double sum = call.has(3) ? call.input(3).real(direction * 2 * out.length + bias + g) : 0;
                for (int k = 0; k < width; k++) {
                    sum += call.input(weights).real((direction * out.length + g) * width + k) * in.applyAsDouble(k);
                }
                out[g] = sum;
            }
            return out;
        }

        List<NdArray> run() {
            double[] y = new double[Dims.size(call.checkedDims(steps, directions, batch, hidden))];
            double[] lastH = new double[directions * batch * hidden];
            double[] lastC = new double[lastH.length];
            String direction = call.text("direction", "forward");
            for (int d = 0; d < directions; d++) {
                boolean backwards = d == 1 || direction.equals("reverse");
                for (int b = 0; b < batch; b++) {
                    int at = d * batch + b;
                    double[] h = initial(5, d, b);
                    double[] c = initial(6, d, b);
                    int length = call.has(4) ? (int) call.input(4).whole(b) : steps;
                    for (int s = 0; s < length; s++) {
                        int t = backwards ? length - 1 - s : s;
                        int row = (t * batch + b) * x.dim(2);
                        double[] in = product(1, d, 0, k -> x.real(row + (int) k), x.dim(2));
                        cell.step(new TimeStep(this, d, in, fromState(d, h), h, c));
                        System.arraycopy(h, 0, y, ((t * directions + d) * batch + b) * hidden, hidden);
                    }
                    System.arraycopy(h, 0, lastH, at * hidden, hidden);
                    System.arraycopy(c, 0, lastC, at * hidden, hidden);
                }
            }
            return results(y, lastH, lastC);
        }

        private double[] initial(int input, int direction, int element) {
            double[] state = new double[hidden];
            for (int u = 0; u < hidden && call.has(input); u++) {
                int at = batchFirst ? element * directions + direction : direction * batch + element;
                state[u] = call.input(input).real(at * hidden + u);
            }
            return state;
        }

        private List<NdArray> results(double[] y, double[] h, double[] c) {
            NdArray all = NdArray.reals(x.element(), new int[] {steps, directions, batch, hidden}, y);
            NdArray lastH = NdArray.reals(x.element(), new int[] {directions, batch, hidden}, h);
            NdArray lastC = NdArray.reals(x.element(), new int[] {directions, batch, hidden}, c);
            return batchFirst
                    ? List.of(
                            Layouts.permuted(call, all, 2, 0, 1, 3),
                            Layouts.permuted(call, lastH, 1, 0, 2),
                            Layouts.permuted(call, lastC, 1, 0, 2))
                    : List.of(all, lastH, lastC);
        }
    }
}
