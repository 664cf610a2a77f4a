/** Splits of requests between versions, computed: shared by the controller and the command line. */
package io.knabla.controller.traffic;
