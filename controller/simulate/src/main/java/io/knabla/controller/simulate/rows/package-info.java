/** Reads CSV files of traces, and tells all that is wrong with them at once. */
package io.knabla.controller.simulate.rows;
