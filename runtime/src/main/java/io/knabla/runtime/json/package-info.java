/** Reads JSON of any form into a tree whose regular arrays of numbers are flat; for requests that are not hot. */
package io.knabla.runtime.json;
