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
 * Auto-configures the limiter in a test, with the in-memory store. Buckets, bans, and
 * headers use the {@link ManualClock}. Each test method starts with full buckets, without
 * bans, and with a reset clock. Slices such as {@code @WebMvcTest} and
 * {@code @WebFluxTest} have no limiter without this annotation.
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
	 * Whether to enable rate limiting, regardless of the application's properties.
	 * @return whether rate limiting is enabled
	 */
	boolean enabled() default true;

	/**
	 * Source of live rules, regardless of the application's properties.
	 * @return the source, as in {@code ratelimit.live.source}
	 * @since 0.1.0
	 */
	@PropertyMapping("live.source")
	String liveSource() default "none";

}
