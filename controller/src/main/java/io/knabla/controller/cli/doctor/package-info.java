/** What this machine has and lacks; start at {@link io.knabla.controller.cli.doctor.Examination}. */
package io.knabla.controller.cli.doctor;
