package dev.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The importance of the requests of a handler method, or of all handler methods of a
 * class. When this instance is overloaded and {@code ratelimit.load.enabled} is
 * {@code true}, less important requests are rejected first. An annotation on a method
 * replaces that of its class. Requests without a level are {@link Level#NORMAL}.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Criticality {

	/**
	 * The level of the requests.
	 * @return the level
	 */
	Level value();

	/**
	 * The importance of requests, most important first.
	 *
	 * @since 0.1.0
	 */
	enum Level {

		/**
		 * Requests that must be served, such as payments. Seats are reserved for them.
		 */
		CRITICAL,

		/** Requests that users wait for. */
		HIGH,

		/** All requests without another level. */
		NORMAL,

		/** Requests that can be repeated later, such as exports and prefetches. */
		LOW

	}

}
