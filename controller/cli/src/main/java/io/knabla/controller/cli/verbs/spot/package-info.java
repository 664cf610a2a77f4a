/** Drills on virtual spot nodes. */
package io.knabla.controller.cli.verbs.spot;
