package dev.ratelimit.test.prometheus;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that uses {@link TestPrometheus}. If {@code prometheus} or
 * {@code promtool} is not on the path, it is skipped, or fails with
 * {@code -Dtest.prometheus=required}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("long")
@ExtendWith(PrometheusCondition.class)
public @interface PrometheusTest {

}
