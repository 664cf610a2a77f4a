/**
 * Access to a platform on a cluster through a kubeconfig context; loaded only if one is named; start at
 * {@link io.knabla.controller.cli.kube.KubeContext}.
 */
package io.knabla.controller.cli.kube;
