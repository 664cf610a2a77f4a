/** Writes comparisons of policies as HTML pages and as pictures. */
package io.knabla.controller.simulate.report;
