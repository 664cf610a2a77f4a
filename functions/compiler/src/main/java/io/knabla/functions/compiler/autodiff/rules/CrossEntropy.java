package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Map;

/**
 * Derivative rules of SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss. With a weight a per item, the adjoint of
 * its scores is a times the probabilities, minus a at its label; no one-hot tensor is built.
 */
final class CrossEntropy {
    private CrossEntropy() {}

    static void register(Map<String, Rule> table) {
        table.put("SoftmaxCrossEntropyLoss", CrossEntropy::softmax);
        table.put("NegativeLogLikelihoodLoss", CrossEntropy::likelihood);
    }

    /**
     * The parts that both losses share.
     *
     * @param labels with ignored ones replaced by 0
     * @param counted 1 for each item, 0 where it is ignored; null if all count
     * @param weights of the items' classes; null if all are 1
     */
    private record Items(RuleContext at, Op op, Value labels, Value counted, Value weights) {
        static Items of(RuleContext at, Op op, Value like) {
            Value labels = op.input(1);
            Value counted = null;
            if (op.attributes().has("ignore_index")) {
                Value ignored = at.scalar(labels, op.attributes().integer("ignore_index", 0));
                Value gone = at.equal(labels, ignored);
                counted = at.indicator(at.not(gone), like);
                labels = at.where(gone, at.scalar(labels, 0), labels);
            }
            Value weights = op.has(2) ? at.gather(op.input(2), labels, 0) : null;
            return new Items(at, op, labels, counted, weights);
        }

        boolean mean() {
            return op.attributes().text("reduction", "mean").equals("mean");
        }

        /** Adjoint of each item's loss, before its class weight is applied. */
        Value share(Value dy) {
            Value share = mean() ? at.div(dy, total(dy)) : dy;
            return counted == null ? at.expandLike(share, labels) : at.mul(counted, share);
        }

        private Value total(Value like) {
            if (weights == null) {
                return counted == null ? at.count(labels, like) : at.sumAll(counted);
            }
            return at.sumAll(counted == null ? weights : at.mul(weights, counted));
        }

        /** Adjoints of the items' losses, with their class weights applied. */
        Value weighted(Value dy) {
            Value share = share(dy);
            return weights == null ? share : at.mul(share, weights);
        }

        /** Adds one number per item to the score of its label. */
        Value atLabels(Value scores, Value numbers) {
            return ScatterHelpers.scatterAdd(at, scores, at.unsqueeze(labels, 1), at.unsqueeze(numbers, 1), 1);
        }

        /**
         * Adjoint of the class weights: a weight scales the losses of its items and, in a mean, adds to the divisor.
         */
        Value ofTheWeights(Value logs, Value dy) {
            Value own = at.squeeze(at.op("GatherElements", Attributes.of("axis", 1), logs, at.unsqueeze(labels, 1)), 1);
            Value loss = mean() ? at.add(own, op.output()) : own;
            Value each = at.neg(at.mul(share(dy), loss));
            Value flat = at.ints(-1);
            return ScatterHelpers.scatterAdd(
                    at, at.zeros(op.input(2)), at.op("Reshape", labels, flat), at.op("Reshape", each, flat), 0);
        }
    }

    private static List<Value> softmax(RuleContext at, Op op, List<Value> dy) {
        Value logs = op.output(1);
        Value chances = at.exp(logs);
        Value dx = null;
        Value dw = null;
        if (dy.getFirst() != null) {
            Items items = Items.of(at, op, logs);
            Value a = items.weighted(dy.getFirst());
            dx = items.atLabels(at.mul(chances, at.unsqueeze(a, 1)), at.neg(a));
            dw = at.needsAdjoint(op, 2) ? items.ofTheWeights(logs, dy.getFirst()) : null;
        }
        if (dy.get(1) != null) {
            Value sums = at.reduceSum(dy.get(1), 1, true);
            Value more = at.sub(dy.get(1), at.mul(chances, sums));
            dx = dx == null ? more : at.add(dx, more);
        }
        return of(dx, null, dw);
    }

    private static List<Value> likelihood(RuleContext at, Op op, List<Value> dy) {
        Value logs = op.input(0);
        Items items = Items.of(at, op, logs);
        Value dx = items.atLabels(at.zeros(logs), at.neg(items.weighted(dy.getFirst())));
        return of(dx, null, at.needsAdjoint(op, 2) ? items.ofTheWeights(logs, dy.getFirst()) : null);
    }
}
