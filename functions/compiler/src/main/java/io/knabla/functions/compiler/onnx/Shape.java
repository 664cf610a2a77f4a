package io.knabla.functions.compiler.onnx;

import java.util.ArrayList;
import java.util.List;

/** The dimensions of a tensor whose rank is known. */
public record Shape(List<Dim> dims) {
    public static final Shape SCALAR = new Shape(List.of());

    public Shape {
        dims = List.copyOf(dims);
    }

    public static Shape of(long... sizes) {
        var dims = new ArrayList<Dim>(sizes.length);
        for (long size : sizes) {
            dims.add(Dim.of(size));
        }
        return new Shape(dims);
    }

    public static Shape of(List<Long> sizes) {
        var dims = new ArrayList<Dim>(sizes.size());
        for (long size : sizes) {
            dims.add(Dim.of(size));
        }
        return new Shape(dims);
    }

    public int rank() {
        return dims.size();
    }

    /** A negative index counts from the end. */
    public Dim dim(int index) {
        return dims.get(Axis.fromFront(index, rank()));
    }

    public Shape with(int index, Dim dim) {
        var changed = new ArrayList<>(dims);
        changed.set(Axis.fromFront(index, rank()), dim);
        return new Shape(changed);
    }

    public Shape slice(int from, int to) {
        return new Shape(dims.subList(from, to));
    }

    public Shape append(Shape more) {
        var all = new ArrayList<>(dims);
        all.addAll(more.dims);
        return new Shape(all);
    }

    /** Product of all sizes; 0 if any size is 0, even if others are unknown. */
    public Dim elements() {
        Dim product = Dim.ONE;
        for (Dim dim : dims) {
            if (dim.is(0)) {
                return dim;
            }
            product = product.times(dim);
        }
        return product;
    }

    @Override
    public String toString() {
        return dims.toString();
    }
}
