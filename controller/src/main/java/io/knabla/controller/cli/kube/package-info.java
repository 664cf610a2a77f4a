/** The platform on a person's cluster, by a context of their kubeconfig; loaded only where one is named. */
package io.knabla.controller.cli.kube;
