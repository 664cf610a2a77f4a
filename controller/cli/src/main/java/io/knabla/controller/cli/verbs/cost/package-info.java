/** Verbs that show costs, forecasts of them, and recorded usage. */
package io.knabla.controller.cli.verbs.cost;
