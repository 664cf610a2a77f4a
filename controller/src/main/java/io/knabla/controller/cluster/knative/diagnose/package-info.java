/** What revisions, pods and nodes show, put into conditions that name the cure: pure answers. */
package io.knabla.controller.cluster.knative.diagnose;
