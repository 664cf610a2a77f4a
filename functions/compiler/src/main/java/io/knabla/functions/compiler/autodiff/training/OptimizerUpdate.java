package io.knabla.functions.compiler.autodiff.training;

import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;

/**
 * Emits the update of one tensor, by the formulas of PyTorch's optimizers.
 *
 * @param rate float32 scalar, the learning rate of this step
 * @param count float32 scalar, number of this update, from 1
 */
record OptimizerUpdate(Ops code, Optimizer optimizer, TrainingState state, Value rate, Value count) {

    /** Returns the next value of the weight. */
    Value nextWeight(String name, Value weight, Value gradient) {
        Value lr = code.castLike(rate, weight);
        return switch (optimizer.type()) {
            case SGD -> code.sub(weight, code.mul(lr, decayed(weight, gradient)));
            case Momentum -> momentum(name, weight, decayed(weight, gradient), lr);
            case Adam -> adam(name, weight, decayed(weight, gradient), lr);
            case AdamW -> adam(name, shrunk(weight, lr), gradient, lr);
        };
    }

    private Value decayed(Value weight, Value gradient) {
        return optimizer.weightDecay() == 0 ? gradient : code.add(gradient, code.mul(weight, optimizer.weightDecay()));
    }

    /** Loshchilov and Hutter, Decoupled weight decay regularization, 2019. */
    private Value shrunk(Value weight, Value lr) {
        if (optimizer.weightDecay() == 0) {
            return weight;
        }
        Value keep = code.sub(code.scalar(lr, 1), code.mul(lr, optimizer.weightDecay()));
        return code.mul(weight, keep);
    }

    private Value momentum(String name, Value weight, Value gradient, Value lr) {
        Value velocity = moment("m", name, weight);
        Value next = code.add(code.mul(velocity, optimizer.momentum()), gradient);
        state.write("opt.m:" + name, next);
        Value direction = optimizer.nesterov() ? code.add(gradient, code.mul(next, optimizer.momentum())) : next;
        return code.sub(weight, code.mul(lr, direction));
    }

    /** Kingma and Ba, Adam, 2015; the bias corrections of both moments are scalars and cost nothing. */
    private Value adam(String name, Value weight, Value gradient, Value lr) {
        Value m = mixed(moment("m", name, weight), gradient, optimizer.beta1());
        Value v = mixed(moment("v", name, weight), code.square(gradient), optimizer.beta2());
        state.write("opt.m:" + name, m);
        state.write("opt.v:" + name, v);
        Value size = code.div(lr, correction(optimizer.beta1(), weight));
        Value root = code.sqrt(correction(optimizer.beta2(), weight));
        Value scale = code.add(code.div(code.sqrt(v), root), optimizer.epsilon());
        return code.sub(weight, code.mul(size, code.div(m, scale)));
    }

    private Value moment(String kind, String name, Value weight) {
        return state.read("opt." + kind + ":" + name, weight.type());
    }

    private Value mixed(Value old, Value fresh, double beta) {
        return code.add(code.mul(old, beta), code.mul(fresh, 1 - beta));
    }

    private Value correction(double beta, Value like) {
        Value decay = code.pow(code.scalar(rate, beta), count);
        return code.castLike(code.sub(code.scalar(rate, 1), decay), like);
    }
}
