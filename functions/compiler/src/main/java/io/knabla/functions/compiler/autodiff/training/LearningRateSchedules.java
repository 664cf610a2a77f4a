package io.knabla.functions.compiler.autodiff.training;

import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;

/** Learning-rate schedules: emit the factor of the learning rate at a step. */
record LearningRateSchedules(Ops code) {

    /** @param step float32 scalar, updates done so far */
    Value factor(Schedule schedule, Value step) {
        Value after = code.max(code.add(step, -schedule.warmupSteps()), number(0));
        Value shape = switch (schedule.type()) {
            case Constant -> number(1);
            case Step -> code.pow(number(schedule.gamma()), stairs(schedule, after));
            case Linear -> line(schedule, progress(schedule, after));
            case Cosine -> cosine(schedule, progress(schedule, after));
        };
        if (schedule.warmupSteps() == 0) {
            return shape;
        }
        Value rise = code.div(code.add(step, 1), schedule.warmupSteps());
        return code.mul(shape, code.min(rise, number(1)));
    }

    private Value stairs(Schedule schedule, Value after) {
        return code.op("Floor", code.div(after, Math.max(1, schedule.stepSize())));
    }

    /** 0 after the warm-up, 1 at the end and from then on. */
    private Value progress(Schedule schedule, Value after) {
        int length = Math.max(1, schedule.totalSteps() - schedule.warmupSteps());
        return code.min(code.div(after, length), number(1));
    }

    private Value line(Schedule schedule, Value progress) {
        return code.add(code.mul(progress, schedule.finalFactor() - 1), 1);
    }

    /** Loshchilov and Hutter, SGDR, 2017, without restarts. */
    private Value cosine(Schedule schedule, Value progress) {
        Value wave = code.add(code.op("Cos", code.mul(progress, Math.PI)), 1);
        double half = (1 - schedule.finalFactor()) / 2;
        return code.add(code.mul(wave, half), schedule.finalFactor());
    }

    private Value number(double value) {
        return code.scalar(ElementType.FLOAT, value);
    }
}
