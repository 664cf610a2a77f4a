/** Verbs that split the requests of a function between its versions. */
package io.knabla.controller.cli.verbs.traffic;
