package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.Attributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of matrix products and Einsum. */
class MatrixProductsTest {
    @Test
    void matrices() {
        new RuleHarness().normal(2, 3).normal(3, 4).symbolic(0, 0).check("MatMul");
    }

    @Test
    void batchTimesMatrix() {
        new RuleHarness().normal(5, 2, 3).normal(3, 4).symbolic(0, 0, 1).check("MatMul");
    }

    @Test
    void batchTimesBatch() {
        new RuleHarness()
                .normal(5, 2, 3)
                .normal(5, 3, 4)
                .symbolic(0, 0)
                .symbolic(1, 0)
                .check("MatMul");
    }

    @Test
    void broadcastBatches() {
        new RuleHarness().normal(5, 1, 2, 3).normal(6, 3, 4).symbolic(0, 0).check("MatMul");
    }

    @Test
    void matrixTimesBatch() {
        new RuleHarness().normal(2, 3).normal(5, 3, 4).symbolic(1, 0).check("MatMul");
    }

    @Test
    void batchSizesThatMayBeOne() {
        new RuleHarness()
                .normal(1, 2, 3)
                .normal(5, 3, 4)
                .symbolic(0, 0)
                .symbolic(1, 0)
                .check("MatMul");
    }

    @Test
    void vectors() {
        new RuleHarness().normal(3).normal(3).symbolic(0, 0).symbolic(1, 0).check("MatMul");
    }

    @Test
    void vectorTimesBatch() {
        new RuleHarness().normal(3).normal(5, 3, 4).symbolic(1, 0).check("MatMul");
    }

    @Test
    void batchTimesVector() {
        new RuleHarness().normal(5, 2, 3).normal(3).symbolic(0, 0).check("MatMul");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,1", "1,0", "1,1"})
    void gemm(int transA, int transB) {
        Attributes attributes = Attributes.of("transA", transA)
                .with("transB", transB)
                .with("alpha", 0.5)
                .with("beta", 1.5);
        RuleHarness harness = new RuleHarness()
                .normal(transA == 1 ? 3 : 2, transA == 1 ? 2 : 3)
                .normal(transB == 1 ? 4 : 3, transB == 1 ? 3 : 4)
                .normal(4);
        harness.symbolic(0, transA).check("Gemm", attributes);
    }

    @Test
    void gemmWithoutBias() {
        new RuleHarness().normal(2, 3).normal(3, 4).symbolic(0, 0).check("Gemm");
    }

    @Test
    void gemmWithAColumnAdded() {
        new RuleHarness().normal(2, 3).normal(3, 4).normal(2, 1).check("Gemm");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bij,bjk->bik",
                "bij,bjk->kib",
                "bij,bjk",
                "bij,bjk->",
                "bij,bjk->bi",
                "b i j, b j k -> j k",
                "...ij,...jk->...ik"
            })
    void contractionOfTwo(String equation) {
        new RuleHarness()
                .normal(2, 3, 4)
                .normal(2, 4, 5)
                .symbolic(0, 0)
                .symbolic(1, 0)
                .check("Einsum", Attributes.of("equation", equation));
    }

    @ParameterizedTest
    @ValueSource(strings = {"iij->j", "iij->ji", "ijk->kji", "...k->...", "iij->i", "i...->...", "ijk->", "...ii->..."})
    void contractionOfOne(String equation) {
        int[] dims = equation.startsWith("...ii") ? new int[] {2, 3, 3} : new int[] {3, 3, 2};
        new RuleHarness().normal(dims).check("Einsum", Attributes.of("equation", equation));
    }

    @Test
    void contractionOfThree() {
        new RuleHarness()
                .normal(2, 3)
                .normal(3, 4)
                .normal(4)
                .symbolic(0, 0)
                .check("Einsum", Attributes.of("equation", "ij,jk,k->i"));
    }

    /** ONNX Runtime refuses the operation itself. */
    @Test
    void dotsOfDifferentLength() {
        new RuleHarness()
                .withoutEngine()
                .normal(2, 5, 3, 4)
                .normal(5, 4, 2)
                .check("Einsum", Attributes.of("equation", "...ij,...jk->...ik"));
    }

    @Test
    void dotsStretched() {
        new RuleHarness()
                .normal(2, 1, 4)
                .normal(4, 3, 6)
                .check("Einsum", Attributes.of("equation", "b...j,j...k->b...k"));
    }
}
