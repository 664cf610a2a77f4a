package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;

/** Element-wise operations with NumPy broadcasting. */
public sealed interface Elementwise permits Tensor {
    Tensor self();

    private Tensor with(String type, Tensor other) {
        return Tensor.operation(type, Attributes.NONE, self(), other);
    }

    private Tensor alone(String type) {
        return Tensor.operation(type, Attributes.NONE, self());
    }

    default Tensor add(Tensor other) {
        return with("Add", other);
    }

    default Tensor add(double other) {
        return add(self().like(other));
    }

    default Tensor sub(Tensor other) {
        return with("Sub", other);
    }

    default Tensor sub(double other) {
        return sub(self().like(other));
    }

    default Tensor mul(Tensor other) {
        return with("Mul", other);
    }

    default Tensor mul(double other) {
        return mul(self().like(other));
    }

    default Tensor div(Tensor other) {
        return with("Div", other);
    }

    default Tensor div(double other) {
        return div(self().like(other));
    }

    default Tensor pow(Tensor exponent) {
        return with("Pow", exponent);
    }

    default Tensor pow(double exponent) {
        return pow(self().like(exponent));
    }

    default Tensor max(Tensor other) {
        return with("Max", other);
    }

    default Tensor min(Tensor other) {
        return with("Min", other);
    }

    default Tensor neg() {
        return alone("Neg");
    }

    default Tensor abs() {
        return alone("Abs");
    }

    default Tensor exp() {
        return alone("Exp");
    }

    default Tensor log() {
        return alone("Log");
    }

    default Tensor sqrt() {
        return alone("Sqrt");
    }

    default Tensor square() {
        return mul(self());
    }

    default Tensor reciprocal() {
        return alone("Reciprocal");
    }

    default Tensor sin() {
        return alone("Sin");
    }

    default Tensor cos() {
        return alone("Cos");
    }

    default Tensor tanh() {
        return alone("Tanh");
    }

    default Tensor erf() {
        return alone("Erf");
    }

    default Tensor sigmoid() {
        return alone("Sigmoid");
    }

    default Tensor relu() {
        return alone("Relu");
    }

    default Tensor softplus() {
        return alone("Softplus");
    }

    /** {@code x·Φ(x)}, exact, with the error function. */
    default Tensor gelu() {
        return alone("Gelu");
    }

    /** {@code x·σ(x)}. */
    default Tensor silu() {
        return mul(sigmoid());
    }

    default Tensor clip(double low, double high) {
        return Tensor.operation("Clip", Attributes.NONE, self(), self().like(low), self().like(high));
    }

    default Tensor equal(Tensor other) {
        return with("Equal", other);
    }

    default Tensor less(Tensor other) {
        return with("Less", other);
    }

    default Tensor less(double other) {
        return less(self().like(other));
    }

    default Tensor greater(Tensor other) {
        return with("Greater", other);
    }

    default Tensor greater(double other) {
        return greater(self().like(other));
    }

    default Tensor and(Tensor other) {
        return with("And", other);
    }

    default Tensor or(Tensor other) {
        return with("Or", other);
    }

    default Tensor not() {
        return alone("Not");
    }

    default Tensor cast(ElementType element) {
        return element == self().element()
                ? self()
                : Tensor.operation("Cast", Attributes.of("to", element.number()), self());
    }
}
