/** From a function resource and a model to a version that can run; start at {@code Deployer}. */
package io.knabla.controller.deploy;
