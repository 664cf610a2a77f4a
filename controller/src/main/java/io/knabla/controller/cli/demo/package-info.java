/** The main job from nothing, shown step by step; start at {@link io.knabla.controller.cli.demo.Demo}. */
package io.knabla.controller.cli.demo;
