package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.Digest;
import java.time.Instant;

/**
 * One immutable deploy of a function; only its scaling bounds may change, because replicas do not depend on them.
 *
 * @param number 1, 2, 3 … within the function
 * @param model digest of the model file it was packaged from
 */
public record Version(int number, FunctionSpec spec, Digest unit, Digest model, Instant created) {}
