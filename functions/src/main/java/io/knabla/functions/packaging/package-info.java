/** Everything done once, before any request: check, analyse, write the unit; start at {@code Packager}. */
package io.knabla.functions.packaging;
