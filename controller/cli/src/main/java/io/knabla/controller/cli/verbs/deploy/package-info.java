/** Verbs that check and deploy a function from its file, to a cluster or through the control API. */
package io.knabla.controller.cli.verbs.deploy;
