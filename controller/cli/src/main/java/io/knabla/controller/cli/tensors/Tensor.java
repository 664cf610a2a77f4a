package io.knabla.controller.cli.tensors;

import java.util.List;

/**
 * One input tensor as bytes: little-endian, row-major, as the protocol's binary extension requires.
 *
 * @param datatype as the protocol spells it
 */
public record Tensor(String name, String datatype, List<Long> shape, byte[] bytes) {}
