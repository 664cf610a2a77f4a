/** Parent of the simulations, which another module adds. */
package io.knabla.controller.cli.verbs.simulate;
