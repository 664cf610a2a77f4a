/** Deploys functions: turns a resource and a model into a version that can run; start at {@code Deployer}. */
package io.knabla.controller.deploy;
