/** Describes what ran where and when: intervals of nodes and replicas, and what the replicas did. */
package io.knabla.controller.usage;
