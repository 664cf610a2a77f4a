/** One class per verb; {@link io.knabla.controller.cli.verbs.Verbs} lists them. */
package io.knabla.controller.cli.verbs;
