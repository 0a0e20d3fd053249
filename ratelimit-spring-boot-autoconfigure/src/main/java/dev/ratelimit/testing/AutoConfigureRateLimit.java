package dev.ratelimit.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Puts the limiter into a test, in a time that the test sets: buckets are counted in
 * memory, headers and waits go by the {@link ManualClock}, and each test method starts
 * with full buckets at the clock's beginning. Slices such as {@code @WebMvcTest} and
 * {@code @WebFluxTest} have no limiter without it.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("ratelimit")
public @interface AutoConfigureRateLimit {

	/**
	 * Whether anything is limited, whatever the application's properties say.
	 * @return whether the limiter is on
	 */
	boolean enabled() default true;

}
