package dev.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits a handler method, or a method of another bean. On a class, all its methods share
 * one bucket. Annotations of a method replace those of its class. Repeatable, and usable
 * as a meta-annotation.
 * <p>
 * Attributes that are not set have the values of {@code ratelimit.defaults}. Properties
 * below {@code ratelimit.rules.<id>} override the attributes that they name.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimited.All.class)
public @interface RateLimited {

	/**
	 * The limits, such as {@code "100/min"}, {@code "20/min burst 30"},
	 * {@code "1000/day Europe/Paris"}, or {@code "20 concurrent"}; all of them apply.
	 * @return the limits
	 */
	String[] value() default {};

	/**
	 * The rule's id. By default, built from class and method, such as {@code
	 * hello-controller-hello}.
	 * @return the id
	 */
	String id() default "";

	/**
	 * The id of a rule below {@code ratelimit.rules} to apply. Cannot be combined with
	 * other attributes.
	 * @return the id of an existing rule
	 */
	String rule() default "";

	/**
	 * The key that identifies a client: {@code caller}, {@code user}, {@code ip},
	 * {@code global}, {@code route}, {@code header:X}, {@code cookie:x}, {@code path:x},
	 * {@code param:x}, {@code form:x}, {@code claim:x}, {@code arg:x}, {@code bean:x};
	 * several values form one key. By default, {@code ratelimit.defaults.key}, which is
	 * {@code caller} unless set: the authenticated user, or the client address if there
	 * is none.
	 * @return the key
	 */
	String[] key() default {};

	/**
	 * The capacity: units that are available at once. 0 means the quantity of the limit.
	 * @return the burst
	 */
	long burst() default 0;

	/**
	 * The algorithm. By default, that of {@code ratelimit.defaults}.
	 * @return the algorithm's id
	 */
	String algorithm() default "";

	/**
	 * The cost of one request: a number, {@code header:X}, {@code param:x}, {@code
	 * content-length}, or {@code bean:x}.
	 * @return the cost
	 */
	String cost() default "1";

	/**
	 * The policy to apply while the store is unavailable. At most one value.
	 * @return the failure policy
	 */
	FailurePolicy[] failure() default {};

	/**
	 * Whether the rule rejects, only counts, or does nothing. At most one value.
	 * @return the mode
	 */
	RuleMode[] mode() default {};

	/**
	 * The treatment of requests that exceed the limits. At most one value.
	 * @return the policy; by default, requests are rejected
	 */
	ExcessPolicy[] onExcess() default {};

	/**
	 * Whether each decision calls the store, or instances lease units in advance. At most
	 * one value.
	 * @return the consistency
	 */
	Consistency[] consistency() default {};

	/**
	 * The treatment of requests without the key. At most one value.
	 * @return the policy for missing keys
	 */
	MissingKeyPolicy[] onMissingKey() default {};

	/**
	 * The phase in which the rule is evaluated.
	 * @return the phase
	 */
	Phase phase() default Phase.AUTO;

	/**
	 * The HTTP status of rejections, 400 to 599. 0 means the default.
	 * @return the status
	 */
	int status() default 0;

	/**
	 * Whether a retry with the same {@code Idempotency-Key} is not charged.
	 * @return whether retries are not charged
	 */
	boolean idempotency() default false;

	/**
	 * The maximum wait of requests that exceed the limits, such as {@code 2s}, up to 30
	 * seconds. By default, they are rejected at once.
	 * @return the maximum wait
	 */
	String maxWait() default "";

	/**
	 * Whether live rules and switches cannot change the rule.
	 * @return whether the rule is locked
	 */
	boolean locked() default false;

	/**
	 * Exempts a handler method, or all methods of a controller without their own
	 * {@link RateLimited}, from rules: those of annotations on the class or a supertype,
	 * and those with {@code paths}. On a method of another bean, it exempts the method
	 * from the rules of its class.
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface Exempt {

		/**
		 * The ids of the rules that do not apply. Without ids, no rule applies.
		 * @return ids of existing rules
		 */
		String[] value() default {};

	}

	/**
	 * The container of repeated annotations.
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface All {

		/**
		 * The annotations.
		 * @return the annotations
		 */
		RateLimited[] value();

	}

}
