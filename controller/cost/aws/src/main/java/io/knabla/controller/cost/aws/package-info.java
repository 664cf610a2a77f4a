/** Asks AWS for the prices of instances, Lambda and Fargate; the only package that links the SDK's clients for them. */
package io.knabla.controller.cost.aws;
