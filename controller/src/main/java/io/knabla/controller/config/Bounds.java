package io.knabla.controller.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares the least and the greatest value of a setting that is a whole number; every such setting has it. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Bounds {
    /** 16 TiB, as much memory as a function may have. */
    int MEBIBYTES = 16 << 20;

    int from();

    int to();
}
