package dev.ratelimit.test.prometheus;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that uses {@link TestPrometheus}. Where {@code prometheus} and {@code promtool}
 * are not on the path it does not run, or fails with {@code -Dtest.prometheus=required}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("long")
@ExtendWith(PrometheusCondition.class)
public @interface PrometheusTest {

}
