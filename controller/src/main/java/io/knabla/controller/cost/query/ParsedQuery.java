package io.knabla.controller.cost.query;

import io.knabla.functions.Fault;
import java.util.List;

/** A cost query, or everything that is wrong with it. */
public sealed interface ParsedQuery {
    record Valid(CostQuery query, CostFormat format) implements ParsedQuery {}

    record Refused(List<Fault> faults) implements ParsedQuery {}
}
