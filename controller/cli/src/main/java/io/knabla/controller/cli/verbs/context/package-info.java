/** Environment and arguments that the verbs share. */
package io.knabla.controller.cli.verbs.context;
