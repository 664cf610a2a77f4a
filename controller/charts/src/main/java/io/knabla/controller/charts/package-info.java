/** Writes HTML pages that load nothing from elsewhere, and charts as pictures. */
package io.knabla.controller.charts;
