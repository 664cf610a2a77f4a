package io.knabla.functions.spec;

import java.util.Optional;

/** How one kind of value is read. */
interface Type<T> {
    /** The value; or empty, and then the findings say what was found and what is allowed. */
    Optional<T> read(Tree value, String path, Findings findings);
}
