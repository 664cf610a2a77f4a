package io.knabla.controller.config;

import io.knabla.controller.config.Settings.ClusterKind;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Qualifies a bean that exists only on one kind of platform; {@code PlatformBeans} selects it. */
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER, ElementType.FIELD})
public @interface ForPlatform {
    ClusterKind value();

    /** Instance of the qualifier, for programmatic lookup. */
    final class Literal extends AnnotationLiteral<ForPlatform> implements ForPlatform {
        private static final long serialVersionUID = 1;

        private final ClusterKind kind;

        public Literal(ClusterKind kind) {
            this.kind = kind;
        }

        @Override
        public ClusterKind value() {
            return kind;
        }
    }
}
