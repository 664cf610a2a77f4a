/** Keeps replicas of this platform's functions warm, as their policies and schedules say. */
package io.knabla.controller.warm.act;
