package io.knabla.controller.cli.tensors;

import java.util.List;

/**
 * One input as bytes, little-endian and row by row, as the protocol's binary extension wants it.
 *
 * @param datatype as the protocol spells it
 */
public record Tensor(String name, String datatype, List<Long> shape, byte[] bytes) {}
