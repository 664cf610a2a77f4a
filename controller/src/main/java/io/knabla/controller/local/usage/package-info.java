/** Tells which virtual nodes and which replicas of this machine were there when, and what they did. */
package io.knabla.controller.local.usage;
