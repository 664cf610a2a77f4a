/** Cron windows with time zones in which a minimum of replicas runs. */
package io.knabla.controller.warm.schedule;
